import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import type { WhatsAppCampaign } from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import { Loaded } from "../../ui/loaded.tsx";
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
              New campaign
            </button>
          )}
        </div>
      </div>
      <Loaded of={loaded}>{(campaigns) => <CampaignList campaigns={campaigns} />}</Loaded>
      <Suspense>
        {isNew && (
          <Dialog
            onClose={() => setNew(false)}
            onSaved={({ id }) => void navigate({ to: "/whatsapp-campaigns/$id", params: { id } })}
          />
        )}
      </Suspense>
    </AppPage>
  );
}

function CampaignList({ campaigns }: { readonly campaigns: readonly WhatsAppCampaign[] }) {
  if (campaigns.length === 0)
    return (
      <div className="pf-card panel">
        <p>
          No campaigns yet. Choose a template, add a list of people, and start. You need a{" "}
          <Link to="/channels">WhatsApp number</Link>.
        </p>
      </div>
    );
  return (
    <ul className="hook-list" aria-label="WhatsApp campaigns">
      {campaigns.map((campaign) => (
        <li key={campaign.id} className="pf-card hook-card">
          <div className="hook-card-what">
            <Link to="/whatsapp-campaigns/$id" params={{ id: campaign.id }} className="hook-url">
              {campaign.name}
            </Link>
            <p className="pf-muted hook-card-wants">
              {campaign.settings.template.name} · {progressText(campaign)}
            </p>
            {campaign.statusReason !== null && <p className="hook-card-wants">{campaign.statusReason}</p>}
          </div>
          <StatusBadge status={campaign.status} />
        </li>
      ))}
    </ul>
  );
}
