import { type CallEnd, endBy, endFor } from "@parley/shared/contracts/call-status.ts";

interface Manner {
  readonly wasAnswered: boolean;
  /** The phone has called the softphone's owner. */
  readonly isIncoming: boolean;
}

/** How a manual call ends, and why. */
export function endOfManual(reason: string, { wasAnswered, isIncoming }: Manner): CallEnd {
  const state = wasAnswered ? "in-progress" : "ringing";
  // Only who called is there before an answer. Of a call of ours that is our side, which gives it up.
  if (reason === "hangup" && !isIncoming) return endBy(state, { ending: "is withdrawn", reason });
  return endFor(state, reason);
}
