import type { CallRow } from "./starts-and-ends.ts";

const DAY_MS = 86_400_000;
/** How long after a call's content was deleted its events are still told apart: those that come later change nothing. */
export const RECOGNIZED_MS = 7 * DAY_MS;

/** Whether the call's events may be forgotten by now, so that one that comes again could no longer be recognized. */
export function isForgotten(
  call: Pick<CallRow, "endedAt" | "contentDeletedAt"> | undefined,
  now: Date,
): boolean {
  if (!call?.contentDeletedAt || !call.endedAt) return false;
  return now.getTime() - call.contentDeletedAt.getTime() > RECOGNIZED_MS;
}
