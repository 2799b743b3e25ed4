import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { ChannelRow } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import type { Preference } from "../inbound/inbound-item.ts";
import { STOPPED_CODE } from "./may-write.ts";

/** Whether a provider's error says that the contact wants no more marketing messages. */
export function isStopped({ code }: { readonly code?: unknown }): boolean {
  return code === STOPPED_CODE;
}

/** Notes what a contact chose about marketing messages in the provider's app. */
export async function receivePreference(
  preference: Preference,
  channel: Pick<ChannelRow, "id" | "org_id">,
  { database, clock, onWish }: Pick<MessagingDeps, "database" | "clock" | "onWish">,
): Promise<boolean> {
  const now = new Date(clock.wallMs());
  await database.db
    .transaction()
    .execute((trx) =>
      notePreference(trx, preference, { channelId: channel.id, orgId: channel.org_id, now, onWish }),
    );
  return true;
}

interface Place extends Pick<MessagingDeps, "onWish"> {
  readonly channelId: string;
  readonly orgId: string;
  readonly now: Date;
}

/** As `receivePreference`, in a transaction. What the contact wrote last may still be answered: it is no marketing. */
export async function notePreference(
  trx: Kysely<Tables>,
  { phone, userId, wish, at }: Preference,
  { channelId, orgId, now, onWish }: Place,
): Promise<void> {
  const outAt = sql<Date>`coalesce(opted_out_at, least(${at}::timestamptz, last_inbound_at - interval '1 millisecond'))`;
  const threads = await trx
    .updateTable("messaging_threads")
    .set({ opted_out_at: wish === "out" ? outAt : null })
    .where("channel_id", "=", channelId)
    .where((is) => is.or([is("contact_phone", "=", phone), is("contact_user_id", "=", userId)]))
    .returning("contact_phone")
    .execute();
  const numbers = new Set([phone, ...threads.map(({ contact_phone }) => contact_phone)]);
  for (const from of numbers) if (from !== null) await onWish(trx, { orgId, from, wish, at: now });
}
