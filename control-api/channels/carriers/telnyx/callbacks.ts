import { z } from "zod";
import type { AnsweredBy, CarrierEvent, EndStatus } from "../carrier.ts";

const webhookSchema = z.object({
  data: z.object({
    event_type: z.string(),
    payload: z.object({
      call_control_id: z.string(),
      direction: z.string().optional(),
      from: z.string().optional(),
      to: z.string().optional(),
      result: z.string().optional(),
      hangup_cause: z.string().optional(),
      client_state: z.string().nullish(),
      status: z.string().optional(),
    }),
  }),
});
type Payload = z.infer<typeof webhookSchema>["data"]["payload"];

/** A declined call maps to `busy`, as on SIP carriers. */
const ENDS: Readonly<Record<string, EndStatus>> = {
  normal_clearing: "completed",
  time_limit: "completed",
  user_busy: "busy",
  call_rejected: "busy",
  timeout: "no-answer",
  no_answer: "no-answer",
  originator_cancel: "canceled",
};

const DETECTED: Readonly<Record<string, AnsweredBy>> = {
  human: "human",
  human_residence: "human",
  human_business: "human",
  machine: "machine_start",
  fax_detected: "fax",
};

const GREETED: Readonly<Record<string, AnsweredBy>> = {
  beep_detected: "machine_end_beep",
  ended: "machine_end_silence",
};

/** Events of a verified webhook; most Telnyx events are irrelevant here. */
export function eventsOf(webhook: unknown): readonly CarrierEvent[] {
  const { data } = webhookSchema.safeParse(webhook);
  if (!data) return [];
  const { event_type: type, payload } = data.data;
  const callSid = payload.call_control_id;
  const transferOf = stateAfter(TRANSFER_OF, payload.client_state);
  if (transferOf !== undefined) return eventsOfTransfer(type, payload, transferOf);
  const words = stateAfter(REFUSED, payload.client_state);
  if (words !== undefined) return eventsOfRefusal(type, payload, words);
  switch (type) {
    case "call.initiated":
      return [initiated(payload)];
    case "call.answered":
      return [{ type: "answered", callSid }];
    case "call.bridged":
      // Legs are bridged only when somebody takes the call over.
      return [{ type: "transferred", callSid }];
    case "call.machine.detection.ended":
    case "call.machine.premium.detection.ended":
      return [{ type: "machine", callSid, answeredBy: DETECTED[payload.result ?? ""] ?? "unknown" }];
    case "call.machine.greeting.ended":
    case "call.machine.premium.greeting.ended":
      return [{ type: "machine", callSid, answeredBy: GREETED[payload.result ?? ""] ?? "machine_end_other" }];
    case "call.speak.ended":
      return wasHeard(payload) ? [{ type: "whispered", callSid }] : [];
    case "call.hangup":
      return [{ type: "ended", callSid, status: ENDS[payload.hangup_cause ?? ""] ?? "failed" }];
    default:
      return [];
  }
}

function initiated({ call_control_id: callSid, direction, from = "", to = "" }: Payload): CarrierEvent {
  if (direction === "incoming") return { type: "inbound", callSid, from, to };
  return { type: "ringing", callSid };
}

/** A speech also ends when its listener hangs up. */
function wasHeard({ status }: Payload): boolean {
  return status !== "call_hangup";
}

const TRANSFER_OF = "transfer-of:";
const REFUSED = "refused:";

/** Client state attached to each event of a transfer's leg: the transferred call, in base64. */
export function stateOfTransfer(callSid: string): string {
  return Buffer.from(TRANSFER_OF + callSid).toString("base64");
}

/** Client state of a call that is answered only to tell its caller why nobody takes it. */
export function stateOfRefusal(words: string): string {
  return Buffer.from(REFUSED + words).toString("base64");
}

function stateAfter(prefix: string, clientState: string | null | undefined): string | undefined {
  const state = Buffer.from(clientState ?? "", "base64").toString("utf8");
  return state.startsWith(prefix) ? state.slice(prefix.length) : undefined;
}

/** A refused call is no call of ours: only what is left to say and do matters. */
function eventsOfRefusal(type: string, payload: Payload, words: string): readonly CarrierEvent[] {
  const callSid = payload.call_control_id;
  if (type === "call.answered") return [{ type: "to_explain", callSid, words }];
  return type === "call.speak.ended" && wasHeard(payload) ? [{ type: "explained", callSid }] : [];
}

/** The transfer's leg has its own id; its events are reported on the transferred call. */
function eventsOfTransfer(type: string, payload: Payload, callSid: string): readonly CarrierEvent[] {
  if (type === "call.answered" || type === "call.bridged") return [{ type: "transferred", callSid }];
  if (type !== "call.hangup") return [];
  const end = ENDS[payload.hangup_cause ?? ""];
  // Once somebody has answered, the call is transferred, and its end is not reported here.
  const why = end === "busy" || end === "no-answer" ? end : "failed";
  return [{ type: "transfer_failed", callSid, why }];
}
