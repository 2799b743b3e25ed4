import type { CallEventBody } from "@parley/shared/contracts/call-events.ts";

type Status = Extract<CallEventBody, { type: "call.ended" }>["status"];

/** What became of a call that nobody answered, by why it ended. */
const UNANSWERED: Readonly<Record<string, Status>> = {
  busy: "busy",
  no_answer: "no-answer",
  hangup: "canceled",
  api_request: "canceled",
  declined: "busy",
};

interface Manner {
  readonly wasAnswered: boolean;
  /** The phone has called the softphone's owner. */
  readonly isIncoming: boolean;
}

/** The terminal status of a manual call. */
export function statusOf(reason: string, { wasAnswered, isIncoming }: Manner): Status {
  // Also in the middle of it (call-life.ts): nobody hung up.
  if (reason === "carrier_failed") return "failed";
  if (wasAnswered) return "completed";
  // Who called and gave up was not answered; who was called knows nothing of a withdrawal.
  if (isIncoming && reason === "hangup") return "no-answer";
  return UNANSWERED[reason] ?? "failed";
}
