import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { MessagingDeps } from "../deps.ts";
import { markAnswered, selectWaiting } from "../threads/message-store.ts";
import { type LockedThread, type ThreadRow, updateThread } from "../threads/thread-store.ts";
import { addressesOf, findStop, keepChoice } from "./choices.ts";
import { wishIn } from "./words.ts";

interface Said {
  /** Locked. */
  readonly thread: ThreadRow & Partial<Pick<LockedThread, "isNumberNew">>;
  readonly text: string | null;
  /** When the contact said so, by the provider's clock. */
  readonly sentAt: Date;
}

/** Puts a number on the do-not-call list if its owner opted out under the user id alone. */
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
 * Notes that a contact wants no more messages, or wants them again, and lists a number that has become known only now.
 * Choices are written before the do-not-call list, as everywhere. Returns true if they want no more: nobody answers that,
 * nor what waits.
 */
export async function noteWish(
  trx: Kysely<Tables>,
  { thread, text, sentAt }: Said,
  { onWish }: Pick<MessagingDeps, "onWish">,
): Promise<boolean> {
  const { org_id: orgId, channel_id: channelId, contact_phone: from } = thread;
  const wish = text === null ? undefined : wishIn(text);
  const isOut = wish === "out";
  if (wish !== undefined) await updateThread(trx, thread.id, { opted_out_at: isOut ? sentAt : null });
  // Whoever wants messages again wants marketing, too.
  if (wish === "in")
    await keepChoice(trx, { channelId, orgId, addresses: addressesOf(thread), wish, at: sentAt });
  if (thread.isNumberNew) await listNumberOf(trx, thread, { onWish });
  if (wish === undefined) return false;
  await onWish(trx, { orgId, from, wish, source: "message", at: sentAt });
  if (!isOut) return false;
  const waiting = await selectWaiting(trx, thread.id);
  await markAnswered(
    trx,
    waiting.map(({ id }) => id),
    thread.session_id,
  );
  return true;
}
