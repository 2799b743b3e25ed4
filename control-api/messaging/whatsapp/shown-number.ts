import type { Channel } from "@parley/shared/contracts/messaging.ts";
import type { ChannelRow } from "../channels/channel-store.ts";
import type { ChannelWebhook, ShownChannel } from "../channels/channels.ts";

/** The API representation of a WhatsApp number. */
export function toNumber(row: ChannelRow): Channel {
  return {
    id: row.id,
    kind: "whatsapp",
    name: row.name,
    phone: row.phone,
    verifiedName: row.verified_name,
    phoneNumberId: row.account,
    businessAccountId: row.business_account ?? "",
    managed: row.managed,
    agentId: row.agent_id,
    status: row.last_error === null ? "active" : "error",
    lastError: row.last_error,
    quality: row.quality,
    health: row.health,
    checkedAt: row.checked_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}

export function toConnectedNumber({
  webhook,
  ...row
}: ShownChannel): Channel & { readonly webhook: ChannelWebhook | null } {
  return { ...toNumber(row), webhook };
}
