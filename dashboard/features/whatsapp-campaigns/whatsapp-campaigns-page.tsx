import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import type { WhatsAppCampaign } from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { progressText } from "../campaigns/campaign-labels.ts";
import { StatusBadge } from "../campaigns/status-badge.tsx";
import { useWhatsAppCampaigns } from "./use-whatsapp-campaigns.ts";

const Dialog = later(async () => (await import("./whatsapp-campaign-dialog.tsx")).WhatsAppCampaignDialog);

/** The organization's WhatsApp campaigns. */
export function WhatsAppCampaignsPage() {
  const { org } = useHere();
  const loaded = useWhatsAppCampaigns();
  const navigate = useNavigate();
  const [isNew, setNew] = useState(false);
  return (
    <AppPage title="WhatsApp campaigns">
      <div className="row row-spread">
        <p className="pf-muted">
          Send an approved template to many people. Your agent answers who writes back.
        </p>
        <div className="row">
          <Link to="/do-not-call" className="pf-btn">
            Do-not-call list
          </Link>
          {isAtLeast(org.role, "developer") && (
            <button type="button" className="pf-btn pf-btn-primary" onClick={() => setNew(true)}>
              Create campaign
            </button>
          )}
        </div>
      </div>
      <DataTable
        name="whatsapp-campaigns"
        label="List of WhatsApp campaigns"
        columns={CAMPAIGN_COLUMNS}
        rows={loaded.data}
        of={loaded}
        rowId={({ id }) => id}
        readAll="rows"
        empty={
          <p>
            No campaigns yet. Choose a template, add a list of people, and start. You need a{" "}
            <Link to="/channels">WhatsApp number</Link>.
          </p>
        }
      />
      {isNew && (
        <Dialog
          onClose={() => setNew(false)}
          onSaved={({ id }) => void navigate({ to: "/whatsapp-campaigns/$id", params: { id } })}
        />
      )}
    </AppPage>
  );
}

const CAMPAIGN_COLUMNS: readonly Column<WhatsAppCampaign>[] = [
  {
    id: "name",
    name: "Campaign",
    sorts: true,
    look: "long",
    text: ({ name }) => name,
    cell: ({ id, name }) => (
      <Link to="/whatsapp-campaigns/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  {
    id: "template",
    name: "Template",
    sorts: true,
    look: "name",
    text: ({ settings }) => settings.template.name,
    cell: ({ settings }) => settings.template.name,
  },
  {
    id: "status",
    name: "Status",
    sorts: true,
    look: "long",
    text: ({ status }) => status,
    cell: ({ status, statusReason }) => (
      <>
        <StatusBadge status={status} />
        {statusReason !== null && <p className="pf-muted hook-card-wants">{statusReason}</p>}
      </>
    ),
  },
  { id: "progress", name: "Progress", text: progressText, cell: progressText },
];
