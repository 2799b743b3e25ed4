import { ANSWERED_BY, type AnsweredBy, type CarrierEvent, type EndStatus } from "../carrier.ts";

const ENDS: Readonly<Record<string, EndStatus>> = {
  completed: "completed",
  busy: "busy",
  "no-answer": "no-answer",
  failed: "failed",
  canceled: "canceled",
};

/** What a verified form of Twilio's says: a status of a call, a verdict of machine detection, or that somebody calls. */
export function eventsOf(form: URLSearchParams): readonly CarrierEvent[] {
  const callSid = form.get("CallSid") ?? "";
  if (callSid === "") return [];
  const status = form.get("CallStatus") ?? "";
  // Status callbacks repeat the verdict; the one of detection itself has no place in their sequence.
  const verdict = form.get("AnsweredBy");
  if (verdict !== null && !form.has("SequenceNumber")) {
    return [{ type: "machine", callSid, answeredBy: answeredBy(verdict) }];
  }
  const end = ENDS[status];
  if (end) return [{ type: "ended", callSid, status: end }];
  if (form.get("Direction") === "inbound" && !form.has("CallbackSource")) {
    return [{ type: "inbound", callSid, from: form.get("From") ?? "", to: form.get("To") ?? "" }];
  }
  if (status === "ringing") return [{ type: "ringing", callSid }];
  if (status === "in-progress") return [{ type: "answered", callSid }];
  return [];
}

/** When a status callback says it was made: RFC 2822, in UTC. Other callbacks do not say. */
export function signedAtMs(form: URLSearchParams): number | undefined {
  const timestamp = form.get("Timestamp");
  return timestamp === null ? undefined : Date.parse(timestamp);
}

function answeredBy(verdict: string): AnsweredBy {
  return ANSWERED_BY.find((known) => known === verdict) ?? "unknown";
}
