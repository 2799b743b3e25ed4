import { sql } from "kysely";
import { raiseOrgEvent } from "../../webhooks/raise-org-event.ts";
import type { ChannelRow } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";

/** Raises what WhatsApp reports on the account, unchanged, on every delivery; keeps it for the channel's page. */
export async function receiveHealth(
  { wabaId, field, value }: { readonly wabaId: string; readonly field: string; readonly value: unknown },
  channel: ChannelRow,
  { database, clock, announceDeliveries }: Pick<MessagingDeps, "database" | "clock" | "announceDeliveries">,
): Promise<void> {
  const at = new Date(clock.wallMs());
  const { org_id: orgId } = channel;
  await database.db.transaction().execute(async (trx) => {
    const kept = JSON.stringify({ [field]: { value, at: at.toISOString() } });
    await trx
      .updateTable("messaging_channels")
      .set({ health: sql`health || ${kept}::jsonb` })
      .where("org_id", "=", orgId)
      .where("business_account", "=", channel.business_account)
      .execute();
    await raiseOrgEvent(trx, {
      orgId,
      at,
      event: { event: "whatsapp.account.health", wabaId, field, value },
    });
  });
  announceDeliveries();
}
