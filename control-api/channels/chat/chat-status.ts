import type { EndReason } from "@parley/shared/contracts/call-status.ts";

/** When a chat is over though nobody ended it. */
export interface ChatLimits {
  readonly idleMs: number;
  readonly maxAgeMs: number;
}

/** What of a chat tells where it stands. */
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

/** Why the chat is to be finalized now; undefined: it is not, or somebody is still at it. */
export function reasonToFinalize(chat: ChatTimes, nowMs: number, limits: ChatLimits): string | undefined {
  if (chat.finalizedAt !== null || isLeased(chat, nowMs)) return undefined;
  if (chat.endReason !== null) return chat.endReason;
  // Its first reply was never finished: whoever generated it died.
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
