import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { endOf, handOver } from "./chat-events.ts";
import { isLeased, reasonToSettle } from "./standing.ts";
import { lockChat, type StoredChat, selectUnrecorded, type Trx, updateChat } from "./store.ts";

/** Ends a chat whose row is locked, once and for good; gives what is to be handed over. */
export async function settle(
  trx: Trx,
  chat: StoredChat,
  { reason, nowMs }: { reason: string; nowMs: number },
): Promise<CallEvent[]> {
  const ended = endOf(chat, reason, { seq: chat.nextSeq, nowMs });
  const events = [...(await selectUnrecorded(trx, chat.heldEvents)), ended];
  await updateChat(trx, chat.sessionId, {
    end_reason: reason,
    settled_at: new Date(nowMs),
    lease_id: null,
    lease_until: null,
    next_seq: chat.nextSeq + 1,
    held_events: JSON.stringify(events),
    handed_at: new Date(nowMs),
  });
  return events;
}

/**
 * Ends a chat early; one that is over stays as it ended. A reply that is being generated is finished and kept
 * before the chat settles, and takes no more messages meanwhile. Throws `AppError` not_found.
 */
export async function endChat(sessionId: string, orgId: string, deps: ChatDeps): Promise<void> {
  const { database, clock, limits } = deps;
  const events = await database.db.transaction().execute(async (trx) => {
    const chat = await lockChat(trx, sessionId);
    if (chat?.orgId !== orgId) throw new AppError("not_found", "There is no such chat in this organization.");
    if (chat.settledAt !== null) return [];
    const nowMs = clock.wallMs();
    const reason = chat.endReason ?? "api_request";
    if (isLeased(chat, nowMs)) {
      await updateChat(trx, sessionId, { end_reason: reason });
      return [];
    }
    return settle(trx, chat, { reason: reasonToSettle(chat, nowMs, limits) ?? reason, nowMs });
  });
  await handOver(events, deps);
}
