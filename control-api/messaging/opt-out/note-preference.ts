import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { ChannelRow } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import type { Preference } from "../inbound/inbound-item.ts";
import { lockContacts } from "../threads/thread-store.ts";
import { keepChoice, stoppedAmong } from "./choices.ts";
import { STOPPED_CODE } from "./may-write.ts";

interface Place extends Pick<MessagingDeps, "onWish"> {
  readonly channel: Pick<ChannelRow, "id" | "org_id">;
}

/** Whether a provider's error says that the contact wants no more marketing messages. */
export function isStopped({ code }: { readonly code?: unknown }): boolean {
  return code === STOPPED_CODE;
}

/** Notes that the contact stopped marketing messages in the provider's app, as an error with that code tells. */
export async function noteStopped(
  trx: Kysely<Tables>,
  contact: Omit<Preference, "wish">,
  place: Place,
): Promise<void> {
  await notePreference(trx, { ...contact, wish: "out" }, place);
}

/**
 * Notes what a contact chose about marketing messages in the provider's app. Returns false if it is not news: choices
 * count in the order of their own time, and come late and repeatedly.
 */
export function receivePreference(
  preference: Preference,
  channel: Pick<ChannelRow, "id" | "org_id">,
  { database, onWish }: Pick<MessagingDeps, "database" | "onWish">,
): Promise<boolean> {
  return database.db.transaction().execute((trx) => notePreference(trx, preference, { channel, onWish }));
}

async function notePreference(
  trx: Kysely<Tables>,
  { phone, userId, wish, at }: Preference,
  { channel: { id: channelId, org_id: orgId }, onWish }: Place,
): Promise<boolean> {
  const threads = await lockContacts(trx, channelId, {
    phones: [...present([phone])],
    userIds: [...present([userId])],
  });
  const numbers = present([phone, ...threads.map(({ contact_phone }) => contact_phone)]);
  const ids = present([userId, ...threads.map(({ contact_user_id }) => contact_user_id)]);
  const addresses = [...numbers, ...ids];
  if (!(await keepChoice(trx, { channelId, orgId, addresses, wish, at }))) return false;
  // The list is the organization's: who resumes one channel's messages may have stopped another's.
  const stopped = wish === "in" ? await stoppedAmong(trx, orgId, [...numbers]) : new Set<string>();
  for (const from of numbers)
    if (!stopped.has(from)) await onWish(trx, { orgId, from, wish, source: "whatsapp", at });
  return true;
}

function present(addresses: readonly (string | null)[]): Set<string> {
  return new Set(addresses.filter((address) => address !== null));
}
