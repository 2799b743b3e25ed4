import { z } from "zod";
import type { CarrierEvent, EndStatus } from "../carrier.ts";
import { withPlus } from "../phone-numbers.ts";

const webhookSchema = z.object({
  uuid: z.string().min(1),
  status: z.string().optional(),
  sub_state: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
});

/** Whoever declines is not there to talk: `busy`, as carriers that speak SIP have it. */
const ENDS: Readonly<Record<string, EndStatus>> = {
  completed: "completed",
  busy: "busy",
  rejected: "busy",
  unanswered: "no-answer",
  timeout: "no-answer",
  cancelled: "canceled",
  failed: "failed",
};

const MACHINES = { beep_start: "machine_end_beep", beep_timeout: "machine_end_other" } as const;

/** What a verified webhook says: an event of a call has a status, the question how to answer one has none. */
export function eventsOf(webhook: unknown): readonly CarrierEvent[] {
  const { data } = webhookSchema.safeParse(webhook);
  if (!data) return [];
  const { uuid: callSid, status, sub_state: subState, from = "", to = "" } = data;
  if (status === undefined) {
    const isCall = data.from !== undefined && data.to !== undefined;
    return isCall ? [{ type: "inbound", callSid, from: withPlus(from), to: withPlus(to) }] : [];
  }
  const end = ENDS[status];
  if (end) return [{ type: "ended", callSid, status: end }];
  switch (status) {
    case "ringing":
    case "answered":
      return [{ type: status, callSid }];
    case "human":
      return [{ type: "machine", callSid, answeredBy: "human" }];
    case "machine":
      return [{ type: "machine", callSid, answeredBy: machine(subState) }];
    default:
      return [];
  }
}

function machine(subState = "") {
  return subState === "beep_start" || subState === "beep_timeout" ? MACHINES[subState] : "machine_start";
}
