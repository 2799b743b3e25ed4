import type { Target } from "@parley/shared/contracts/campaigns.ts";
import type { Blank, WhatsAppCampaign } from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { RUNNING_MS, TARGETS_SHOWN, useOrgCall } from "../campaigns/use-campaigns.ts";

/** Where WhatsApp campaigns are, both as a page and under the organization's address. */
export const WHATSAPP_CAMPAIGNS = "/whatsapp-campaigns";
/** Messages are delivered and read long after the last one was sent. */
const AFTERWARDS_MS = 15_000;

export function useWhatsAppCampaigns(): Data<readonly WhatsAppCampaign[]> {
  const { base, get } = useOrgCall();
  return useData(
    base + WHATSAPP_CAMPAIGNS,
    async () => (await get<{ campaigns: WhatsAppCampaign[] }>(`${WHATSAPP_CAMPAIGNS}?limit=100`)).campaigns,
    {
      isList: true,
      everyMs: (campaigns) => (campaigns.some(({ status }) => status === "running") ? RUNNING_MS : undefined),
    },
  );
}

export interface WhatsAppCampaignView {
  readonly campaign: WhatsAppCampaign;
  /** The first targets that match the filter. */
  readonly targets: readonly Target[];
}

/** A campaign, polled while it runs and, more slowly, while messages are under way; `query` selects targets. */
export function useWhatsAppCampaign(id: string, query: string): Data<WhatsAppCampaignView> {
  const { base, get } = useOrgCall();
  const path = `${WHATSAPP_CAMPAIGNS}/${id}`;
  return useData(
    `${base}${path} ${query}`,
    async () => {
      const [campaign, { targets }] = await Promise.all([
        get<WhatsAppCampaign>(path),
        get<{ targets: Target[] }>(`${path}/targets?limit=${TARGETS_SHOWN}${query}`),
      ]);
      return { campaign, targets };
    },
    {
      isList: true,
      everyMs: ({ campaign: { status, targets, messages } }) => {
        if (status === "running" || targets.calling > 0) return RUNNING_MS;
        return messages.sent > messages.read ? AFTERWARDS_MS : undefined;
      },
    },
  );
}

/** The variables that fill in a template. */
export function neededBy({
  parameters,
  header,
}: Pick<WhatsAppCampaign["settings"]["template"], "parameters" | "header">): string[] {
  const blanks: readonly Blank[] = [...(header === null ? [] : [header]), ...parameters];
  return [...new Set(blanks.map((blank) => (typeof blank === "string" ? blank : blank.variable)))];
}
