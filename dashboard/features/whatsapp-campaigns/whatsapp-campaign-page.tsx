import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import type { WhatsAppCampaign } from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import { Loaded, LoadProblem } from "../../ui/loaded.tsx";
import { Success } from "../../ui/messages.tsx";
import { dollars } from "../billing/billing-labels.ts";
import { CampaignActions } from "../campaigns/campaign-actions.tsx";
import { hoursText, percentText } from "../campaigns/campaign-labels.ts";
import { Outcomes, Tiles } from "../campaigns/progress-panel.tsx";
import { StatusBadge } from "../campaigns/status-badge.tsx";
import { TargetTable } from "../campaigns/target-table.tsx";
import { channelTitle } from "../messaging/messaging-labels.ts";
import { useChannels } from "../messaging/use-channels.ts";
import { neededBy, useWhatsAppCampaign, WHATSAPP_CAMPAIGNS } from "./use-whatsapp-campaigns.ts";

const TargetsPanel = later(async () => (await import("../campaigns/targets-panel.tsx")).TargetsPanel);
const Dialog = later(async () => (await import("./whatsapp-campaign-dialog.tsx")).WhatsAppCampaignDialog);

/** A WhatsApp campaign: how far its messages came, and whom it writes to. */
export function WhatsAppCampaignPage() {
  const { id } = useParams({ from: "/organization/whatsapp-campaigns/$id" });
  const { org } = useHere();
  const [filter, setFilter] = useState("");
  const loaded = useWhatsAppCampaign(id, filter);
  const [isEdited, setEdited] = useState(false);
  const [news, setNews] = useState<string>();
  const mayChange = isAtLeast(org.role, "developer");
  const tell = async (said: string | undefined): Promise<void> => {
    setNews(said);
    await loaded.reload();
  };
  if (loaded.data === undefined)
    return (
      <AppPage title="WhatsApp campaign">
        <Loaded of={loaded}>{() => null}</Loaded>
      </AppPage>
    );
  const { campaign, targets } = loaded.data;
  const path = `${WHATSAPP_CAMPAIGNS}/${id}`;
  return (
    <AppPage title={campaign.name}>
      <LoadProblem of={loaded} />
      <About campaign={campaign} />
      {mayChange && (
        <CampaignActions
          campaign={campaign}
          base={WHATSAPP_CAMPAIGNS}
          onDone={() => tell(undefined)}
          onEdit={() => setEdited(true)}
        />
      )}
      {news && <Success>{news}</Success>}
      <Progress campaign={campaign} />
      {mayChange && campaign.status !== "canceled" && (
        <TargetsPanel path={path} needed={neededBy(campaign.settings.template)} onAdded={tell} />
      )}
      <TargetTable
        campaign={campaign}
        path={path}
        kind="messages"
        targets={targets}
        of={loaded}
        filter={filter}
        onFilter={setFilter}
      />
      {isEdited && (
        <Dialog
          campaign={campaign}
          onClose={() => setEdited(false)}
          onSaved={() => {
            setEdited(false);
            void tell("Saved. Applies from the next message.");
          }}
        />
      )}
    </AppPage>
  );
}

function About({ campaign: { settings, status, statusReason } }: { readonly campaign: WhatsAppCampaign }) {
  const { data: channels = [] } = useChannels();
  const channel = channels.find(({ id }) => id === settings.channelId);
  const { template, hours, messagesPerMinute } = settings;
  return (
    <div className="row row-spread">
      <p className="pf-muted">
        <Link to="/whatsapp-campaigns">WhatsApp campaigns</Link> · {template.name} ({template.language}) from{" "}
        {channel ? channelTitle(channel) : "a number"}, {hoursText(hours)}, {messagesPerMinute} a minute
      </p>
      <p>
        <StatusBadge status={status} /> {statusReason}
      </p>
    </div>
  );
}

function Progress({ campaign: { targets, messages, cost } }: { readonly campaign: WhatsAppCampaign }) {
  const { sent, delivered, read, failed } = messages;
  const tiles = [
    ["People", `${targets.done} of ${targets.total}`, `done, ${targets.waiting} left`],
    ["Sent", String(sent), "taken by WhatsApp"],
    ["Delivered", percentText(delivered, sent), `${delivered} of ${sent}`],
    ["Read", percentText(read, sent), `${read} of ${sent}`],
    ["Failed", String(failed), "not delivered"],
    ["Cost", dollars(cost), "of its messages"],
  ] as const;
  return (
    <>
      <Tiles tiles={tiles} />
      {targets.total > 0 && <Outcomes targets={targets} busy="Being sent" />}
    </>
  );
}
