import type { InstagramAccount } from "@parley/shared/contracts/instagram.ts";
import type { ChannelRow } from "../channels/channel-store.ts";
import type { ChannelWebhook, ShownChannel } from "../channels/channels.ts";

/** The API representation of an Instagram account. */
export function toAccount(row: ChannelRow): InstagramAccount {
  return {
    id: row.id,
    kind: "instagram",
    name: row.name,
    username: row.verified_name,
    accountId: row.account,
    agentId: row.agent_id,
    status: row.last_error === null ? "active" : "error",
    lastError: row.last_error,
    checkedAt: row.checked_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}

export function toConnectedAccount({
  webhook,
  ...row
}: ShownChannel): InstagramAccount & { readonly webhook: ChannelWebhook } {
  if (webhook === null) throw new Error("an Instagram account is always its organization's own");
  return { ...toAccount(row), webhook };
}
