import type { EndReason } from "@parley/shared/contracts/call-status.ts";

/** When a chat is over although nobody ended it. */
export interface ChatLimits {
  readonly idleMs: number;
  readonly maxAgeMs: number;
}

/** Fields that determine a chat's status. */
export interface ChatTimes {
  readonly turns: number;
  readonly leaseUntil: Date | null;
  readonly activeAt: Date;
  readonly createdAt: Date;
  readonly endReason: string | null;
  readonly finalizedAt: Date | null;
}

/** Whether a message may be taken now: 409 while `generating`, 410 when `over`. */
export type ChatStatus = "open" | "generating" | "over";

export function chatStatusOf(chat: ChatTimes, nowMs: number, limits: ChatLimits): ChatStatus {
  if (chat.finalizedAt !== null || chat.endReason !== null || isTooOld(chat, nowMs, limits)) {
    return "over";
  }
  return isLeased(chat, nowMs) ? "generating" : "open";
}

/** Why to finalize the chat now; undefined: it is still open, finalized, or generating. */
export function reasonToFinalize(chat: ChatTimes, nowMs: number, limits: ChatLimits): string | undefined {
  if (chat.finalizedAt !== null || isLeased(chat, nowMs)) return undefined;
  if (chat.endReason !== null) return chat.endReason;
  // The process generating the first reply died.
  if (chat.turns === 0) return "node_lost";
  return isTooOld(chat, nowMs, limits);
}

export function isLeased({ leaseUntil }: Pick<ChatTimes, "leaseUntil">, nowMs: number): boolean {
  return leaseUntil !== null && leaseUntil.getTime() > nowMs;
}

function isTooOld(
  { activeAt, createdAt }: ChatTimes,
  nowMs: number,
  { idleMs, maxAgeMs }: ChatLimits,
): EndReason | undefined {
  if (nowMs - createdAt.getTime() > maxAgeMs) return "max_duration";
  return nowMs - activeAt.getTime() > idleMs ? "chat_idle" : undefined;
}
