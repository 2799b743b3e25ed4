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

/** Whoever declines is not there to talk: `busy`, as carriers that speak SIP have it. */
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

/** What a verified webhook says; most of Telnyx' events say nothing that is asked for here. */
export function eventsOf(webhook: unknown): readonly CarrierEvent[] {
  const { data } = webhookSchema.safeParse(webhook);
  if (!data) return [];
  const { event_type: type, payload } = data.data;
  const callSid = payload.call_control_id;
  const transferOf = callOfTransfer(payload.client_state);
  if (transferOf !== undefined) return eventsOfTransfer(type, payload, transferOf);
  switch (type) {
    case "call.initiated":
      return [initiated(payload)];
    case "call.answered":
      return [{ type: "answered", callSid }];
    case "call.bridged":
      // Legs are bridged only where somebody takes the call over.
      return [{ type: "transferred", callSid }];
    case "call.machine.detection.ended":
    case "call.machine.premium.detection.ended":
      return [{ type: "machine", callSid, answeredBy: DETECTED[payload.result ?? ""] ?? "unknown" }];
    case "call.machine.greeting.ended":
    case "call.machine.premium.greeting.ended":
      return [{ type: "machine", callSid, answeredBy: GREETED[payload.result ?? ""] ?? "machine_end_other" }];
    case "call.speak.ended":
      // It ends as well when who listened has hung up.
      return payload.status === "call_hangup" ? [] : [{ type: "whispered", callSid }];
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

const TRANSFER_OF = "transfer-of:";

/** What the leg that a transfer makes tells with each of its events: the call that is transferred. In base64. */
export function stateOfTransfer(callSid: string): string {
  return Buffer.from(TRANSFER_OF + callSid).toString("base64");
}

function callOfTransfer(clientState: string | null | undefined): string | undefined {
  const state = Buffer.from(clientState ?? "", "base64").toString("utf8");
  return state.startsWith(TRANSFER_OF) ? state.slice(TRANSFER_OF.length) : undefined;
}

/** The leg has an id of its own; what is told is told of the call that is transferred. */
function eventsOfTransfer(type: string, payload: Payload, callSid: string): readonly CarrierEvent[] {
  if (type === "call.answered" || type === "call.bridged") return [{ type: "transferred", callSid }];
  if (type !== "call.hangup") return [];
  const end = ENDS[payload.hangup_cause ?? ""];
  // Once somebody has answered the call is transferred, and nothing is heard here any more.
  const why = end === "busy" || end === "no-answer" ? end : "failed";
  return [{ type: "transfer_failed", callSid, why }];
}
