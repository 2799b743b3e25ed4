import type { Database } from "@parley/control-api/database/open.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import { CALL_EVENTS_STREAM, type CallEvent, callEventSchema } from "@parley/shared/contracts/call-events.ts";

/** How often an event type was recorded for a call. */
export async function timesRecorded(
  { db }: Database,
  sessionId: string,
  type: CallEvent["type"],
): Promise<number> {
  const { times } = await db
    .selectFrom("call_events")
    .select(({ fn }) => fn.countAll<string>().as("times"))
    .where("session_id", "=", sessionId)
    .where("type", "=", type)
    .executeTakeFirstOrThrow();
  return Number(times);
}

/** The events of a call as they are recorded, in their order. */
export async function recordedEvents({ db }: Database, sessionId: string): Promise<CallEvent[]> {
  const rows = await db
    .selectFrom("call_events")
    .select("body")
    .where("session_id", "=", sessionId)
    .orderBy("seq")
    .execute();
  return rows.map(({ body }) => callEventSchema.parse(body));
}

/** All events of a call, once one of the type `last` is on the durable stream. */
export async function eventsOf(
  bus: Bus,
  sessionId: string,
  last: CallEvent["type"] = "call.ended",
): Promise<CallEvent[]> {
  const reader = {
    group: `test-${sessionId}`,
    consumer: "test",
    count: 1_000,
    blockMs: 5_000,
    claimAfterMs: 60_000,
  };
  const events: CallEvent[] = [];
  while (!events.some(({ type }) => type === last)) {
    const entries = await bus.streams.read(CALL_EVENTS_STREAM, reader);
    if (entries.length === 0)
      throw new Error(`the call has no ${last}; its events: ${JSON.stringify(events)}`);
    const read = entries.map(({ payload }) => callEventSchema.parse(JSON.parse(payload)));
    events.push(...read.filter((event) => event.sessionId === sessionId));
  }
  return events;
}
