import type { Campaign } from "@parley/shared/contracts/campaigns.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import { Loaded, LoadProblem } from "../../ui/loaded.tsx";
import { Success } from "../../ui/messages.tsx";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { AppActions } from "../apps/app-actions.tsx";
import { AppSlot } from "../apps/app-slot.tsx";
import { CampaignActions } from "./campaign-actions.tsx";
import { hoursText } from "./campaign-labels.ts";
import { ProgressPanel } from "./progress-panel.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { TargetTable } from "./target-table.tsx";
import { useCampaign } from "./use-campaigns.ts";

const TargetsPanel = later(async () => (await import("./targets-panel.tsx")).TargetsPanel);
const CampaignDialog = later(async () => (await import("./campaign-dialog.tsx")).CampaignDialog);

/** A campaign in progress: how far it is, its results, and its targets. */
export function CampaignPage() {
  const { id } = useParams({ from: "/organization/campaigns/$id" });
  const { org } = useHere();
  const [filter, setFilter] = useState("");
  const loaded = useCampaign(id, filter);
  const [isEdited, setEdited] = useState(false);
  const [news, setNews] = useState<string>();
  const mayChange = isAtLeast(org.role, "developer");
  const tell = async (said: string | undefined): Promise<void> => {
    setNews(said);
    await loaded.reload();
  };
  if (loaded.data === undefined)
    return (
      <AppPage title="Campaign">
        <Loaded of={loaded}>{() => null}</Loaded>
      </AppPage>
    );
  const { campaign, progress, targets } = loaded.data;
  const where = { campaignId: id, agentId: campaign.settings.agentId };
  return (
    <AppPage title={campaign.name}>
      <LoadProblem of={loaded} />
      <About campaign={campaign} />
      {mayChange && (
        <CampaignActions
          campaign={campaign}
          base="/campaigns"
          onDone={() => tell(undefined)}
          onEdit={() => setEdited(true)}
        />
      )}
      {news && <Success>{news}</Success>}
      <ProgressPanel campaign={campaign} progress={progress} />
      {mayChange && campaign.status !== "canceled" && (
        <TargetsPanel path={`/campaigns/${id}`} onAdded={tell} />
      )}
      <AppSlot slot="campaign_targets_panel" context={where} />
      <AppActions surface="campaign_targets" context={where} />
      <TargetTable
        campaign={campaign}
        path={`/campaigns/${id}`}
        kind="calls"
        targets={targets}
        of={loaded}
        filter={filter}
        onFilter={setFilter}
      />
      {isEdited && (
        <CampaignDialog
          campaign={campaign}
          onClose={() => setEdited(false)}
          onSaved={() => {
            setEdited(false);
            void tell("Saved. Applies from the next call.");
          }}
        />
      )}
    </AppPage>
  );
}

function About({ campaign }: { readonly campaign: Campaign }) {
  const agents = useAgentNames();
  const { settings, status, statusReason } = campaign;
  return (
    <div className="row row-spread">
      <p className="pf-muted">
        <Link to="/campaigns">Campaigns</Link> · {agents.get(settings.agentId) ?? "An agent"} calls{" "}
        {hoursText(settings.hours)}, {settings.callsPerMinute} a minute, {settings.maxLive} at once
      </p>
      <p>
        <StatusBadge status={status} /> {statusReason}
      </p>
    </div>
  );
}
