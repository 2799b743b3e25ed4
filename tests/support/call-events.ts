import type { Bus } from "@parley/shared/bus/bus.ts";
import { CALL_EVENTS_STREAM, type CallEvent, callEventSchema } from "@parley/shared/contracts/call-events.ts";

/** Every event of a call, once its last one was handed to the durable stream. */
export async function eventsOf(bus: Bus, sessionId: string): Promise<CallEvent[]> {
  const reader = {
    group: `test-${sessionId}`,
    consumer: "test",
    count: 1_000,
    blockMs: 5_000,
    claimAfterMs: 60_000,
  };
  const events: CallEvent[] = [];
  while (!events.some(({ type }) => type === "call.ended")) {
    const entries = await bus.streams.read(CALL_EVENTS_STREAM, reader);
    if (entries.length === 0)
      throw new Error(`the call has not ended; its events: ${JSON.stringify(events)}`);
    const read = entries.map(({ payload }) => callEventSchema.parse(JSON.parse(payload)));
    events.push(...read.filter((event) => event.sessionId === sessionId));
  }
  return events;
}
