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
  switch (type) {
    case "call.initiated":
      return [initiated(payload)];
    case "call.answered":
      return [{ type: "answered", callSid }];
    case "call.machine.detection.ended":
    case "call.machine.premium.detection.ended":
      return [{ type: "machine", callSid, answeredBy: DETECTED[payload.result ?? ""] ?? "unknown" }];
    case "call.machine.greeting.ended":
    case "call.machine.premium.greeting.ended":
      return [{ type: "machine", callSid, answeredBy: GREETED[payload.result ?? ""] ?? "machine_end_other" }];
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
