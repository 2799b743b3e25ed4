import type { ApiKey } from "@parley/shared/contracts/api-keys.ts";
import type { Campaign } from "@parley/shared/contracts/campaigns.ts";
import type { WhatsAppCampaign } from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

/** A subject for a limit besides the organization: `agent agt_…`, `campaign cmp_…`, `key key_…`. */
export interface LimitScope {
  readonly value: string;
  readonly label: string;
}

const AGENTS_PATH = "/api/agents?limit=200";

/** Agents, campaigns that are not over, and active keys; empty while loading. */
export function useLimitScopes(): readonly LimitScope[] {
  const session = useSession();
  const orgId = useHere().org.id;
  const keysPath = `/api/orgs/${orgId}/api-keys`;
  const campaignsPath = `/api/orgs/${orgId}/campaigns`;
  const whatsAppPath = `/api/orgs/${orgId}/whatsapp-campaigns?limit=100`;
  const ask = { method: "GET", orgId } as const;
  const agents = useData(`${orgId} ${AGENTS_PATH}`, () =>
    session.call<{ readonly agents: readonly { readonly id: string; readonly name: string }[] }>(
      AGENTS_PATH,
      ask,
    ),
  );
  const campaigns = useData(campaignsPath, () =>
    session.call<{ readonly campaigns: readonly Campaign[] }>(campaignsPath, ask),
  );
  const writing = useData(whatsAppPath, () =>
    session.call<{ readonly campaigns: readonly WhatsAppCampaign[] }>(whatsAppPath, ask),
  );
  const keys = useData(keysPath, () => session.call<{ readonly apiKeys: readonly ApiKey[] }>(keysPath, ask));
  const active = (keys.data?.apiKeys ?? []).filter(({ revoked_at: revokedAt }) => revokedAt === null);
  return [
    ...(agents.data?.agents ?? []).map(({ id, name }) => ({ value: `agent ${id}`, label: `Agent ${name}` })),
    ...campaignScopes("Campaign", campaigns.data?.campaigns),
    ...campaignScopes("WhatsApp campaign", writing.data?.campaigns),
    ...active.map(({ id, name }) => ({ value: `key ${id}`, label: `API key ${name}` })),
  ];
}

function campaignScopes(
  kind: string,
  campaigns: readonly Pick<Campaign, "id" | "name" | "status">[] = [],
): LimitScope[] {
  return campaigns
    .filter(({ status }) => status !== "done" && status !== "canceled")
    .map(({ id, name }) => ({ value: `campaign ${id}`, label: `${kind} ${name}` }));
}
