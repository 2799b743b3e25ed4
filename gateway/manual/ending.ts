import type { CallEventBody } from "@parley/shared/contracts/call-events.ts";

type Status = Extract<CallEventBody, { type: "call.ended" }>["status"];

/** What became of a call that nobody answered, by why it ended. */
const UNANSWERED: Readonly<Record<string, Status>> = {
  busy: "busy",
  no_answer: "no-answer",
  hangup: "canceled",
  api_request: "canceled",
};

/** The terminal status of a manual call. */
export function statusOf(reason: string, wasAnswered: boolean): Status {
  return wasAnswered ? "completed" : (UNANSWERED[reason] ?? "failed");
}
