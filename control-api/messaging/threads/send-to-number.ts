import { AppError } from "@parley/shared/errors.ts";
import { findOwnChannel } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import { assertMayWrite } from "../opt-out/may-write.ts";
import { queueText } from "../outbound/queue-message.ts";
import { isWindowOpen, windowClosed } from "../outbound/window.ts";
import { lockThreadOf } from "./thread-store.ts";

interface TextToNumber {
  readonly orgId: string;
  readonly channelId: string;
  /** With + and country code. */
  readonly to: string;
  readonly text: string;
  /** Author of the message. */
  readonly userId: string;
}

/**
 * Queues a text to a number and returns the message's id. The conversation stays with the agent or person who answers
 * it (docs/decisions/apps.md#whatsapp-takes-nothing-over). Throws `AppError` not_found, conflict (the window is closed,
 * or was never open), forbidden (the contact asked for no more messages).
 */
export async function sendToNumber(
  { orgId, channelId, to, text, userId }: TextToNumber,
  deps: Pick<MessagingDeps, "database" | "clock" | "queue" | "secrets">,
): Promise<string> {
  const id = await deps.database.db.transaction().execute(async (trx) => {
    const channel = await findOwnChannel(trx, { orgId, provider: "whatsapp", id: channelId });
    const nowMs = deps.clock.wallMs();
    const at = new Date(nowMs);
    const contact = { phone: to, userId: null, name: null };
    // If the contact never wrote, the rollback removes a conversation created here.
    const thread = await lockThreadOf(trx, { orgId, channelId, contact, at, secrets: deps.secrets });
    if (!isWindowOpen(thread, nowMs)) throw new AppError("conflict", windowClosed("whatsapp"));
    await assertMayWrite(trx, thread, "begin");
    const author = { author: "member", author_id: userId, session_id: thread.session_id } as const;
    return queueText(trx, text, { thread, channel, author, at }, deps);
  });
  deps.queue.announce();
  return id;
}
