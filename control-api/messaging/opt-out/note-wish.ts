import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { MessagingDeps } from "../deps.ts";
import { markAnswered, selectWaiting } from "../threads/message-store.ts";
import { type ThreadRow, updateThread } from "../threads/thread-store.ts";
import { addressesOf, findStop, keepChoice } from "./choices.ts";
import { wishIn } from "./words.ts";

interface Said {
  readonly thread: ThreadRow;
  readonly text: string | null;
  /** When the contact said so, by the provider's clock. */
  readonly sentAt: Date;
}

/**
 * Puts a number on the do-not-call list that has become known only now, if its owner opted out under the user id alone.
 */
export async function listNumberOf(
  trx: Kysely<Tables>,
  thread: ThreadRow,
  { onWish }: Pick<MessagingDeps, "onWish">,
): Promise<void> {
  const { org_id: orgId, contact_phone: from, opted_out_at: askedAt } = thread;
  const stoppedAt = askedAt ?? (await findStop(trx, thread));
  if (stoppedAt === undefined) return;
  const source = askedAt === null ? "whatsapp" : "message";
  await onWish(trx, { orgId, from, wish: "out", source, at: stoppedAt });
}

/**
 * Notes that a contact wants no more messages, or wants them again. Returns true for the former: nobody answers that, nor
 * what waits.
 */
export async function noteWish(
  trx: Kysely<Tables>,
  { thread, text, sentAt }: Said,
  { onWish }: Pick<MessagingDeps, "onWish">,
): Promise<boolean> {
  const wish = text === null ? undefined : wishIn(text);
  if (wish === undefined) return false;
  const isOut = wish === "out";
  await updateThread(trx, thread.id, { opted_out_at: isOut ? sentAt : null });
  const { org_id: orgId, channel_id: channelId, contact_phone: from } = thread;
  await onWish(trx, { orgId, from, wish, source: "message", at: sentAt });
  if (!isOut) {
    // Whoever wants messages again wants marketing, too.
    const addresses = addressesOf(thread);
    await keepChoice(trx, { channelId, orgId, addresses, wish, at: sentAt });
    return false;
  }
  const waiting = await selectWaiting(trx, thread.id);
  await markAnswered(
    trx,
    waiting.map(({ id }) => id),
    thread.session_id,
  );
  return true;
}
