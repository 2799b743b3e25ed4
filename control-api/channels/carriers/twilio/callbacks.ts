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

/** Query parameter of the signed address where Twilio asks how to proceed after a whisper. */
const WHISPERED = "briefed";

export function whisperedUrl(callbackUrl: string): string {
  const url = new URL(callbackUrl);
  url.searchParams.set(WHISPERED, "1");
  return url.href;
}

/** Results of a transfer's dial; a dial that ended because the caller left reports nothing. */
const TRANSFERS: Readonly<Record<string, TransferFailed | "joined">> = {
  completed: "joined",
  answered: "joined",
  busy: "busy",
  "no-answer": "no-answer",
  failed: "failed",
};

/**
 * Events of a verified Twilio form: a call status, a machine detection verdict, a transfer's result, or an inbound
 * call. `address` is the address signed with it.
 */
export function eventsOf(form: URLSearchParams, address: string): readonly CarrierEvent[] {
  const callSid = form.get("CallSid") ?? "";
  if (callSid === "") return [];
  if (new URL(address).searchParams.has(WHISPERED)) return [{ type: "whispered", callSid }];
  const ofTransfer = transferEventOf(form, callSid);
  if (ofTransfer) return ofTransfer;
  const status = form.get("CallStatus") ?? "";
  // Status callbacks repeat the verdict; the callback of detection itself has no sequence number.
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

/** Twilio reports the end of a dial on the call that dialed, and its answer on the dialed leg. */
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

/** The time of a status callback: RFC 2822, in UTC. Other callbacks carry none. */
export function signedAtMs(form: URLSearchParams): number | undefined {
  const timestamp = form.get("Timestamp");
  return timestamp === null ? undefined : Date.parse(timestamp);
}

function answeredBy(verdict: string): AnsweredBy {
  return ANSWERED_BY.find((known) => known === verdict) ?? "unknown";
}
