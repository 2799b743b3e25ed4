import type { Bus } from "@parley/shared/bus/bus.ts";
import { appendCallEvent } from "@parley/shared/bus/call-event-stream.ts";
import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import { type CallEvent, encodeCallEvent } from "@parley/shared/contracts/call-events.ts";
import type { CallEnd } from "@parley/shared/contracts/call-status.ts";

export interface EndedCall {
  readonly sessionId: string;
  readonly orgId: string;
}

/**
 * Reports the end of a call that no gateway will report. An `id` derived from the call lets several processes report it
 * but end it once; `seq` is its position among the gateway's events.
 */
export async function tellEnd(
  { sessionId, orgId }: EndedCall,
  { id, seq, end }: { readonly id: string; readonly seq: number; readonly end: CallEnd },
  { bus, clock }: { readonly bus: Pick<Bus, "streams">; readonly clock: Clock },
): Promise<void> {
  const at = toTimestamp(clock.wallMs());
  const event: CallEvent = { id, sessionId, orgId, seq, at, type: "call.ended", ...end };
  await appendCallEvent(bus.streams, encodeCallEvent(event));
}
