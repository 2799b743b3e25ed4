import type { Campaign } from "@parley/shared/contracts/campaigns.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { AppActions } from "../apps/app-actions.tsx";
import { progressText } from "./campaign-labels.ts";
import { StatusBadge } from "./status-badge.tsx";
import { useCampaigns } from "./use-campaigns.ts";

const CampaignDialog = later(async () => (await import("./campaign-dialog.tsx")).CampaignDialog);

/** The organization's campaigns. */
export function CampaignsPage() {
  const { org } = useHere();
  const loaded = useCampaigns();
  const navigate = useNavigate();
  const [isNew, setNew] = useState(false);
  return (
    <AppPage title="Campaigns">
      <div className="row row-spread">
        <p className="pf-muted">An agent calls many people, when it is time where they are.</p>
        <div className="row">
          <Link to="/do-not-call" className="pf-btn">
            Do-not-call list
          </Link>
          {isAtLeast(org.role, "developer") && (
            <button type="button" className="pf-btn pf-btn-primary" onClick={() => setNew(true)}>
              New campaign
            </button>
          )}
        </div>
      </div>
      <AppActions surface="campaigns_list" />
      <Loaded of={loaded}>{(campaigns) => <CampaignList campaigns={campaigns} />}</Loaded>
      <Suspense>
        {isNew && (
          <CampaignDialog
            onClose={() => setNew(false)}
            onSaved={({ id }) => void navigate({ to: "/campaigns/$id", params: { id } })}
          />
        )}
      </Suspense>
    </AppPage>
  );
}

function CampaignList({ campaigns }: { readonly campaigns: readonly Campaign[] }) {
  const agents = useAgentNames();
  if (campaigns.length === 0)
    return (
      <p className="pf-card panel">
        There is no campaign yet. Choose an agent and when it may call, add a list of people, and start.
      </p>
    );
  return (
    <ul className="hook-list" aria-label="Campaigns">
      {campaigns.map((campaign) => (
        <li key={campaign.id} className="pf-card hook-card">
          <div className="hook-card-what">
            <Link to="/campaigns/$id" params={{ id: campaign.id }} className="hook-url">
              {campaign.name}
            </Link>
            <p className="pf-muted hook-card-wants">
              {agents.get(campaign.settings.agentId) ?? "An agent"} · {progressText(campaign)}
            </p>
            {campaign.statusReason !== null && <p className="hook-card-wants">{campaign.statusReason}</p>}
          </div>
          <StatusBadge status={campaign.status} />
        </li>
      ))}
    </ul>
  );
}
