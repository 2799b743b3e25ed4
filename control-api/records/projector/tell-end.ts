import type { Bus } from "@parley/shared/bus/bus.ts";
import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import { CALL_EVENTS_STREAM, type CallEvent, encodeCallEvent } from "@parley/shared/contracts/call-events.ts";
import type { CallEnd } from "@parley/shared/contracts/call-status.ts";

export interface EndedCall {
  readonly sessionId: string;
  readonly orgId: string;
}

/**
 * Tells the end of a call that no gateway will tell. An `id` made from the call lets several processes tell it and end it once;
 * `seq` is where it stands among what the gateway has told.
 */
export async function tellEnd(
  { sessionId, orgId }: EndedCall,
  { id, seq, end }: { readonly id: string; readonly seq: number; readonly end: CallEnd },
  { bus, clock }: { readonly bus: Pick<Bus, "streams">; readonly clock: Clock },
): Promise<void> {
  const at = toTimestamp(clock.wallMs());
  const event: CallEvent = { id, sessionId, orgId, seq, at, type: "call.ended", ...end };
  await bus.streams.append(CALL_EVENTS_STREAM, encodeCallEvent(event));
}
