import { AppError } from "@parley/shared/errors.ts";
import { findChannel } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import { queueText } from "../outbound/queue-message.ts";
import { isWindowOpen, WINDOW_CLOSED } from "../outbound/window.ts";
import { lockThreadOf } from "./thread-store.ts";

interface TextToNumber {
  readonly orgId: string;
  readonly channelId: string;
  /** With + and its country. */
  readonly to: string;
  readonly text: string;
  /** Whose message it is. */
  readonly userId: string;
}

/**
 * Puts a text to a number into the queue and gives the message's id. The conversation stays with who answers it, an agent or
 * a person (docs/decisions/apps.md#whatsapp-takes-nothing-over). Throws `AppError` not_found, conflict (the window is closed, or was
 * never open).
 */
export async function sendToNumber(
  { orgId, channelId, to, text, userId }: TextToNumber,
  deps: Pick<MessagingDeps, "database" | "clock" | "queue" | "secrets">,
): Promise<string> {
  const id = await deps.database.db.transaction().execute(async (trx) => {
    const channel = await findChannel(trx, orgId, channelId);
    const nowMs = deps.clock.wallMs();
    const at = new Date(nowMs);
    const contact = { phone: to, userId: null, name: null };
    // Begun for who never wrote, it is gone with the transaction.
    const thread = await lockThreadOf(trx, { orgId, channelId, contact, at });
    if (!isWindowOpen(thread, nowMs)) throw new AppError("conflict", WINDOW_CLOSED);
    const author = { author: "member", author_id: userId, session_id: thread.session_id } as const;
    return queueText(trx, text, { thread, channel, author, at }, deps);
  });
  deps.queue.announce();
  return id;
}
