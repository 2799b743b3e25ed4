import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { endOf, handOver } from "./chat-events.ts";
import { discretionOf, nextSeqOf } from "./discretion.ts";
import { isLeased, reasonToSettle, standingOf } from "./standing.ts";
import { lockChat, type StoredChat, selectUnrecorded, type Trx, updateChat } from "./store.ts";

/** Ends a chat whose row is locked, once and for good; gives what is to be handed over. */
export async function settle(
  trx: Trx,
  chat: StoredChat,
  { reason, nowMs, secrets }: { reason: string; nowMs: number; secrets: SecretBox },
): Promise<CallEvent[]> {
  const seq = nextSeqOf(chat, secrets);
  const ended = endOf(chat, reason, { seq, nowMs });
  const discretion = await discretionOf(chat, { db: trx, secrets });
  const events = [...(await selectUnrecorded(trx, chat.heldEvents)), ...discretion.takeAll(), ended];
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
    handed_at: new Date(nowMs),
  });
  return events;
}

/**
 * Ends a chat early; one that is over stays as it ended. A reply that is being generated is finished and kept
 * before the chat settles, and takes no more messages meanwhile. False when it was over before. Throws `AppError`
 * not_found.
 */
export async function endChat(sessionId: string, orgId: string, deps: ChatDeps): Promise<boolean> {
  const { database, clock, limits, secrets } = deps;
  const { wasOpen, events } = await database.db.transaction().execute(async (trx) => {
    const chat = await lockChat(trx, sessionId);
    if (chat?.orgId !== orgId) throw new AppError("not_found", "There is no such chat in this organization.");
    const nowMs = clock.wallMs();
    const wasOpen = standingOf(chat, nowMs, limits) !== "over";
    if (chat.settledAt !== null) return { wasOpen, events: [] };
    const reason = chat.endReason ?? "api_request";
    if (isLeased(chat, nowMs)) {
      await updateChat(trx, sessionId, { end_reason: reason });
      return { wasOpen, events: [] };
    }
    const why = reasonToSettle(chat, nowMs, limits) ?? reason;
    return { wasOpen, events: await settle(trx, chat, { reason: why, nowMs, secrets }) };
  });
  await handOver(events, deps);
  return wasOpen;
}
