import type { CarrierEvent, EndStatus, TransferFailed } from "../carrier.ts";
import { withPlus } from "../phone-numbers.ts";
import { answerTo, isWhispered } from "./next-url.ts";

const ENDS: Readonly<Record<string, EndStatus>> = {
  completed: "completed",
  busy: "busy",
  rejected: "busy",
  timeout: "no-answer",
  "no-answer": "no-answer",
  cancel: "canceled",
  canceled: "canceled",
};

/** Hangup causes that refine a status of plain failure. */
const CAUSES: Readonly<Record<string, EndStatus>> = {
  USER_BUSY: "busy",
  CALL_REJECTED: "busy",
  NO_ANSWER: "no-answer",
  NO_USER_RESPONSE: "no-answer",
  ORIGINATOR_CANCEL: "canceled",
};

/** Events of a verified Plivo form; `url` is the address signed with it. */
export function eventsOf(form: URLSearchParams, url: string): readonly CarrierEvent[] {
  const callSid = form.get("CallUUID") ?? "";
  if (callSid === "") return [];
  const ofTransfer = transferEventOf(form, callSid);
  if (ofTransfer) return ofTransfer;
  const event = eventOf(form, url);
  if (!event) return [];
  const dialSid = form.get("RequestUUID");
  return [{ ...event, callSid, ...(dialSid !== null && dialSid !== callSid ? { dialSid } : {}) }];
}

type Said = CarrierEvent extends infer T
  ? T extends CarrierEvent
    ? Omit<T, "callSid" | "dialSid">
    : never
  : never;

/** Results of a transfer's dial; a dial that ended because the caller left (`cancel`) reports nothing. */
const TRANSFERS: Readonly<Record<string, TransferFailed | "joined">> = {
  completed: "joined",
  busy: "busy",
  timeout: "no-answer",
  "no-answer": "no-answer",
  failed: "failed",
};

/** Plivo reports a dial on the call that dialed, when somebody answers and at its end. */
function transferEventOf(form: URLSearchParams, ofCall: string): readonly CarrierEvent[] | undefined {
  const callSid = form.get("DialALegUUID") ?? ofCall;
  const end = form.get("DialStatus");
  if (end !== null) {
    const became = TRANSFERS[end];
    if (became === undefined) return [];
    if (became === "joined") return [{ type: "transferred", callSid }];
    return [{ type: "transfer_failed", callSid, why: became, awaitsMedia: true }];
  }
  const action = form.get("DialAction");
  if (action === null) return undefined;
  return action === "answer" || action === "connected" ? [{ type: "transferred", callSid }] : [];
}

function eventOf(form: URLSearchParams, url: string): Said | undefined {
  if (isWhispered(url)) return { type: "whispered" };
  const answer = answerTo(url);
  if (answer) return { type: "asked", answer };
  const status = form.get("CallStatus") ?? "";
  switch (form.get("Event")) {
    case "Ring":
      return { type: "ringing" };
    case "MachineDetection":
      return { type: "machine", answeredBy: form.get("Machine") === "true" ? "machine" : "human" };
    case "Hangup":
      return { type: "ended", status: ENDS[status] ?? CAUSES[form.get("HangupCause") ?? ""] ?? "failed" };
    case "StartApp":
      if (form.get("Direction") !== "inbound") return { type: "answered", awaitsMedia: true };
      return { type: "inbound", from: withPlus(form.get("From") ?? ""), to: withPlus(form.get("To") ?? "") };
    default:
      return undefined;
  }
}
