import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { MessagingDeps } from "../deps.ts";
import { markAnswered, selectWaiting } from "../threads/message-store.ts";
import { type ThreadRow, updateThread } from "../threads/thread-store.ts";
import { wishIn } from "./words.ts";

interface Said {
  readonly thread: ThreadRow;
  readonly text: string | null;
  /** When the contact said so, by the provider's clock. */
  readonly sentAt: Date;
  readonly at: Date;
}

/**
 * Notes that a contact wants no more messages, or wants them again. Returns true for the former: nobody answers that, nor
 * what waits.
 */
export async function noteWish(
  trx: Kysely<Tables>,
  { thread, text, sentAt, at }: Said,
  { onWish }: Pick<MessagingDeps, "onWish">,
): Promise<boolean> {
  const wish = text === null ? undefined : wishIn(text);
  if (wish === undefined) return false;
  const isOut = wish === "out";
  await updateThread(trx, thread.id, { opted_out_at: isOut ? sentAt : null });
  await onWish(trx, { orgId: thread.org_id, from: thread.contact_phone, wish, at });
  if (!isOut) return false;
  const waiting = await selectWaiting(trx, thread.id);
  await markAnswered(
    trx,
    waiting.map(({ id }) => id),
    thread.session_id,
  );
  return true;
}
