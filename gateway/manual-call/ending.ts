import { type CallEnd, endBy, endFor } from "@parley/shared/contracts/call-status.ts";

interface Manner {
  readonly wasAnswered: boolean;
  /** True if the phone called the softphone's owner. */
  readonly isIncoming: boolean;
}

/** The status and reason with which a manual call ends. */
export function endOfManual(reason: string, { wasAnswered, isIncoming }: Manner): CallEnd {
  const state = wasAnswered ? "in-progress" : "ringing";
  // Before an answer only the calling side is there. In an outgoing call that is our side, which withdraws the call.
  if (reason === "hangup" && !isIncoming) return endBy(state, { ending: "is withdrawn", reason });
  return endFor(state, reason);
}
