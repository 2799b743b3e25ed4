import type { Campaign } from "@parley/shared/contracts/campaigns.ts";
import { isAtLeast, type Role } from "@parley/shared/contracts/roles.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { AppActions } from "../apps/app-actions.tsx";
import { progressText, STATUS_NAMES } from "./campaign-labels.ts";
import { StatusBadge } from "./status-badge.tsx";
import { useCampaigns } from "./use-campaigns.ts";

const CampaignDialog = later(async () => (await import("./campaign-dialog.tsx")).CampaignDialog);

/** The organization's campaigns. */
export function CampaignsPage() {
  const { org } = useHere();
  const loaded = useCampaigns();
  const navigate = useNavigate();
  const agents = useAgentNames();
  const columns = useMemo(() => campaignColumns(agents), [agents]);
  const [isNew, setNew] = useState(false);
  return (
    <AppPage title="Campaigns">
      <div className="row row-spread">
        <p className="pf-muted">An agent calls a list of people, within calling hours in their time zone.</p>
        <div className="row">
          <Link to="/do-not-call" className="pf-btn">
            Do-not-call list
          </Link>
          {isDeveloper(org.role) && (
            <button type="button" className="pf-btn pf-btn-primary" onClick={() => setNew(true)}>
              Create campaign
            </button>
          )}
        </div>
      </div>
      <AppActions surface="campaigns_list" />
      <DataTable
        name="campaigns"
        label="List of campaigns"
        columns={columns}
        rows={loaded.data}
        of={loaded}
        rowId={({ id }) => id}
        readAll="rows"
        empty={
          <p>
            No campaigns yet. Create one with an agent and calling hours, add a list of people, then start it.
          </p>
        }
      />
      {isNew && (
        <CampaignDialog
          onClose={() => setNew(false)}
          onSaved={({ id }) => void navigate({ to: "/campaigns/$id", params: { id } })}
        />
      )}
    </AppPage>
  );
}

const isDeveloper = (role: Role): boolean => isAtLeast(role, "developer");

function campaignColumns(agents: ReadonlyMap<string, string>): readonly Column<Campaign>[] {
  const agentOf = ({ settings }: Campaign): string => agents.get(settings.agentId) ?? "An agent";
  return [
    {
      id: "name",
      name: "Campaign",
      sorts: true,
      look: "long",
      text: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link to="/campaigns/$id" params={{ id }}>
          {name}
        </Link>
      ),
    },
    { id: "agent", name: "Agent", sorts: true, look: "name", text: agentOf, cell: agentOf },
    {
      id: "status",
      name: "Status",
      sorts: true,
      look: "long",
      text: ({ status }) => STATUS_NAMES[status],
      cell: ({ status, statusReason }) => (
        <>
          <StatusBadge status={status} />
          {statusReason !== null && <p className="pf-muted hook-card-wants">{statusReason}</p>}
        </>
      ),
    },
    { id: "progress", name: "Progress", text: progressText, cell: progressText },
  ];
}
