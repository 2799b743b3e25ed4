import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { MessagingDeps } from "../deps.ts";
import { markAnswered, selectWaiting } from "../threads/message-store.ts";
import { type LockedThread, type ThreadRow, updateThread } from "../threads/thread-store.ts";
import { addressesOf, findLastChoice, keepChoice } from "./choices.ts";
import { dropForgottenStops } from "./forgotten-stops.ts";
import { wishIn } from "./words.ts";

interface Said {
  readonly thread: LockedThread;
  readonly text: string | null;
  /** When the contact said so, by the provider's clock. */
  readonly sentAt: Date;
}

type Trx = Kysely<Tables>;

/**
 * Has what a contact asked for count under all of their numbers and user ids, and in all of their conversations: some of
 * these have become known only now. Who wants no more messages in one wants none in any.
 */
export async function shareWishes(
  trx: Trx,
  thread: LockedThread,
  { onWish }: Pick<MessagingDeps, "onWish">,
): Promise<void> {
  const all = [thread, ...thread.others];
  const { org_id: orgId, channel_id: channelId } = thread;
  const [askedAt] = all
    .flatMap(({ opted_out_at: at }) => at ?? [])
    .toSorted((one, other) => other.getTime() - one.getTime());
  if (askedAt)
    for (const { id, opted_out_at: at } of all)
      if (at === null) await updateThread(trx, id, { opted_out_at: askedAt });
  const addresses = addressesOfAll(all);
  const last = await findLastChoice(trx, channelId, addresses);
  if (last) await keepChoice(trx, { channelId, orgId, addresses, wish: last.wish, at: last.chosenAt });
  const at = askedAt ?? (last?.wish === "out" ? last.chosenAt : undefined);
  if (!at) return;
  const source = askedAt ? "message" : "whatsapp";
  for (const from of numbersOf(all)) await onWish(trx, { orgId, from, wish: "out", source, at });
}

/**
 * Notes that a contact wants no more messages, or wants them again, in all of their conversations. Choices are written
 * before the do-not-call list, as everywhere. Returns true if they want no more: nobody answers that, nor what waits.
 */
export async function noteWish(
  trx: Trx,
  { thread, text, sentAt }: Said,
  { onWish, secrets }: Pick<MessagingDeps, "onWish" | "secrets">,
): Promise<boolean> {
  const { org_id: orgId, channel_id: channelId } = thread;
  const wish = text === null ? undefined : wishIn(text);
  if (wish === undefined) {
    if (thread.hasLearned) await shareWishes(trx, thread, { onWish });
    return false;
  }
  const all = [thread, ...thread.others];
  const isOut = wish === "out";
  for (const { id } of all) await updateThread(trx, id, { opted_out_at: isOut ? sentAt : null });
  // Whoever wants messages again wants marketing, too.
  const addresses = addressesOfAll(all);
  if (!isOut) {
    await keepChoice(trx, { channelId, orgId, addresses, wish, at: sentAt });
    await dropForgottenStops(trx, { orgId, channelId, addresses }, secrets);
  }
  for (const from of numbersOf(all)) await onWish(trx, { orgId, from, wish, source: "message", at: sentAt });
  if (isOut) for (const { id, session_id: sessionId } of all) await leaveUnanswered(trx, id, sessionId);
  return isOut;
}

async function leaveUnanswered(trx: Trx, threadId: string, sessionId: string | null): Promise<void> {
  const waiting = await selectWaiting(trx, threadId);
  await markAnswered(
    trx,
    waiting.map(({ id }) => id),
    sessionId,
  );
}

function addressesOfAll(threads: readonly ThreadRow[]): string[] {
  return [...new Set(threads.flatMap(addressesOf))];
}

/** In one order, as tables of numbers are imported. */
function numbersOf(threads: readonly ThreadRow[]): string[] {
  return [...new Set(threads.flatMap(({ contact_phone: phone }) => phone ?? []))].toSorted();
}
