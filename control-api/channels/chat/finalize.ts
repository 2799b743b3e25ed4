import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { endOf, handOver } from "./chat-events.ts";
import { openPlace } from "./chat-place.ts";
import { chatRedactorOf, nextSeqOf } from "./chat-redactor.ts";
import { chatStatusOf, isLeased, reasonToFinalize } from "./chat-status.ts";
import { lockChat, type StoredChat, selectUnrecorded, type Trx, updateChat } from "./store.ts";

/** Ends a chat whose row is locked, exactly once; returns the events to publish. */
export async function finalize(
  trx: Trx,
  chat: StoredChat,
  { reason, nowMs, secrets }: { reason: string; nowMs: number; secrets: SecretBox },
): Promise<CallEvent[]> {
  const seq = nextSeqOf(chat, secrets);
  const talksElse = openPlace(chat, secrets)?.agentId;
  const ended = endOf(chat, reason, { seq, nowMs, talksElse });
  const redactor = await chatRedactorOf(chat, { db: trx, secrets });
  const events = [...(await selectUnrecorded(trx, chat.heldEvents)), ...redactor.takeAll(), ended];
  await updateChat(trx, chat.sessionId, {
    end_reason: reason,
    settled_at: new Date(nowMs),
    lease_id: null,
    lease_until: null,
    next_seq: seq + 1,
    last_event_at: ended.at,
    held_events: JSON.stringify(events),
    unsent: null,
    unsent_until: null,
    flow: null,
    handed_at: new Date(nowMs),
  });
  return events;
}

/**
 * Ends a chat early; a chat that is over keeps its end. A reply in progress is finished and kept first, and no more
 * messages are taken meanwhile. Returns false if the chat was already over. Throws `AppError` not_found.
 */
export async function endChat(sessionId: string, orgId: string, deps: ChatDeps): Promise<boolean> {
  const { database, clock, limits, secrets } = deps;
  const { wasOpen, events } = await database.db.transaction().execute(async (trx) => {
    const chat = await lockChat(trx, sessionId);
    if (chat?.orgId !== orgId) throw new AppError("not_found", "There is no such chat in this organization.");
    const nowMs = clock.wallMs();
    const wasOpen = chatStatusOf(chat, nowMs, limits) !== "over";
    if (chat.finalizedAt !== null) return { wasOpen, events: [] };
    const reason = chat.endReason ?? "api_request";
    if (isLeased(chat, nowMs)) {
      await updateChat(trx, sessionId, { end_reason: reason });
      return { wasOpen, events: [] };
    }
    const why = reasonToFinalize(chat, nowMs, limits) ?? reason;
    return { wasOpen, events: await finalize(trx, chat, { reason: why, nowMs, secrets }) };
  });
  await handOver(events, deps);
  return wasOpen;
}
