import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { MessagingDeps } from "../deps.ts";
import { markAnswered, selectWaiting } from "../threads/message-store.ts";
import { type ThreadRow, updateThread } from "../threads/thread-store.ts";
import { keepChoice } from "./choices.ts";
import { wishIn } from "./words.ts";

interface Said {
  readonly thread: ThreadRow;
  readonly text: string | null;
  /** When the contact said so, by the provider's clock. */
  readonly sentAt: Date;
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
  const { org_id: orgId, channel_id: channelId, contact_phone: from, contact_user_id: userId } = thread;
  await onWish(trx, { orgId, from, wish, source: "message", at: sentAt });
  if (!isOut) {
    // Whoever wants messages again wants marketing, too.
    const addresses = new Set([from, userId].filter((address) => address !== null));
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
