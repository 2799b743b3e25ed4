import { z } from "zod";
import type { CarrierEvent, EndStatus, TransferFailed } from "../carrier.ts";
import { withPlus } from "../phone-numbers.ts";
import { WHISPERED } from "./answer.ts";

const webhookSchema = z.object({
  uuid: z.string().min(1),
  status: z.string().optional(),
  sub_state: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
});

/** A declined call maps to `busy`, as on SIP carriers. */
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

/** Query parameter that names the transferred call, in the address for events of a transfer's leg. */
const TRANSFER_OF = "transferOf";

export function transferUrl(callbackUrl: string, callSid: string): string {
  const url = new URL(callbackUrl);
  url.searchParams.set(TRANSFER_OF, callSid);
  return url.href;
}

/** How a transfer's leg failed to connect; `completed` and `cancelled` are the end of a call. */
const FAILED_TRANSFERS: Readonly<Record<string, TransferFailed>> = {
  busy: "busy",
  rejected: "busy",
  unanswered: "no-answer",
  timeout: "no-answer",
  failed: "failed",
};

const whisperedSchema = z.object({
  uuid: z.string().optional(),
  payload: z.object({ parley: z.literal(WHISPERED.parley) }),
});

/**
 * Events of a verified webhook: a call event has a status, the question how to answer a call has none. `address` is
 * where it was posted.
 */
export function eventsOf(webhook: unknown, address: string): readonly CarrierEvent[] {
  const whispered = whisperedSchema.safeParse(webhook).data;
  if (whispered) return [{ type: "whispered", callSid: whispered.uuid ?? "" }];
  const transferOf = new URL(address).searchParams.get(TRANSFER_OF);
  return transferOf === null ? eventsOfCall(webhook) : eventsOfTransfer(webhook, transferOf);
}

/** The transfer's leg has its own id; its events are reported on the transferred call. */
function eventsOfTransfer(webhook: unknown, callSid: string): readonly CarrierEvent[] {
  const status = webhookSchema.safeParse(webhook).data?.status ?? "";
  if (status === "answered") return [{ type: "transferred", callSid }];
  const why = FAILED_TRANSFERS[status];
  return why === undefined ? [] : [{ type: "transfer_failed", callSid, why, awaitsMedia: true }];
}

function eventsOfCall(webhook: unknown): readonly CarrierEvent[] {
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
