import type { CarrierEvent, EndStatus } from "../carrier.ts";
import { withPlus } from "../phone-numbers.ts";
import { dialXml } from "./answer.ts";

/** In the query of the address where Plivo asks how to transfer a call. */
export const TRANSFER_TO = "transferTo";
export const TRANSFER_FROM = "transferFrom";

const ENDS: Readonly<Record<string, EndStatus>> = {
  completed: "completed",
  busy: "busy",
  rejected: "busy",
  timeout: "no-answer",
  "no-answer": "no-answer",
  cancel: "canceled",
  canceled: "canceled",
};

/** Where the status only says that it failed, the cause says more. */
const CAUSES: Readonly<Record<string, EndStatus>> = {
  USER_BUSY: "busy",
  CALL_REJECTED: "busy",
  NO_ANSWER: "no-answer",
  NO_USER_RESPONSE: "no-answer",
  ORIGINATOR_CANCEL: "canceled",
};

/** What a verified form of Plivo's says; `url` is the address that was signed with it. */
export function eventsOf(form: URLSearchParams, url: string): readonly CarrierEvent[] {
  const callSid = form.get("CallUUID") ?? "";
  if (callSid === "") return [];
  const event = eventOf(form, new URL(url).searchParams);
  if (!event) return [];
  const dialSid = form.get("RequestUUID");
  return [{ ...event, callSid, ...(dialSid !== null && dialSid !== callSid ? { dialSid } : {}) }];
}

type Said = CarrierEvent extends infer T
  ? T extends CarrierEvent
    ? Omit<T, "callSid" | "dialSid">
    : never
  : never;

function eventOf(form: URLSearchParams, query: URLSearchParams): Said | undefined {
  const [to, from] = [query.get(TRANSFER_TO), query.get(TRANSFER_FROM)];
  if (to !== null && from !== null) return { type: "asked", answer: dialXml(to, from) };
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
