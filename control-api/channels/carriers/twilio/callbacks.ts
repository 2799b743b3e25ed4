import {
  ANSWERED_BY,
  type AnsweredBy,
  type CarrierEvent,
  type EndStatus,
  type TransferFailed,
} from "../carrier.ts";

const ENDS: Readonly<Record<string, EndStatus>> = {
  completed: "completed",
  busy: "busy",
  "no-answer": "no-answer",
  failed: "failed",
  canceled: "canceled",
};

/** In the query of the address where Twilio asks how to go on once a whisper was heard; the address is signed. */
const WHISPERED = "briefed";

export function whisperedUrl(callbackUrl: string): string {
  const url = new URL(callbackUrl);
  url.searchParams.set(WHISPERED, "1");
  return url.href;
}

/** How a dial ended that a transfer made; of a call that the caller left nothing is to be said. */
const TRANSFERS: Readonly<Record<string, TransferFailed | "joined">> = {
  completed: "joined",
  answered: "joined",
  busy: "busy",
  "no-answer": "no-answer",
  failed: "failed",
};

/**
 * What a verified form of Twilio's says: a status of a call, a verdict of machine detection, what became of a
 * transfer, or that somebody calls. `address` is the one that was signed with it.
 */
export function eventsOf(form: URLSearchParams, address: string): readonly CarrierEvent[] {
  const callSid = form.get("CallSid") ?? "";
  if (callSid === "") return [];
  if (new URL(address).searchParams.has(WHISPERED)) return [{ type: "whispered", callSid }];
  const ofTransfer = transferEventOf(form, callSid);
  if (ofTransfer) return ofTransfer;
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

/** The end of a dial is told of the call that dialed, its answer by the leg that was dialed. */
function transferEventOf(form: URLSearchParams, callSid: string): readonly CarrierEvent[] | undefined {
  const end = form.get("DialCallStatus");
  if (end !== null) {
    const became = TRANSFERS[end];
    if (became === undefined) return [];
    if (became === "joined") return [{ type: "transferred", callSid }];
    return [{ type: "transfer_failed", callSid, why: became, awaitsMedia: true }];
  }
  const parent = form.get("ParentCallSid");
  if (parent === null) return undefined;
  return form.get("CallStatus") === "in-progress" ? [{ type: "transferred", callSid: parent }] : [];
}

/** When a status callback says it was made: RFC 2822, in UTC. Other callbacks do not say. */
export function signedAtMs(form: URLSearchParams): number | undefined {
  const timestamp = form.get("Timestamp");
  return timestamp === null ? undefined : Date.parse(timestamp);
}

function answeredBy(verdict: string): AnsweredBy {
  return ANSWERED_BY.find((known) => known === verdict) ?? "unknown";
}
