import { expect } from "vitest";
import type { DrillCall } from "./drill-call.ts";
import type { Installation } from "./installation.ts";

/** How long the event projector may take to catch up, on a machine that is busy with others. */
const RECORDED_WITHIN_MS = 60_000;

/**
 * Waits until the ends of all calls are written down, then holds each call's record against what its
 * caller lived through: nothing missing, nothing twice, nothing out of order.
 */
export async function expectRecordedOnce(parley: Installation, calls: readonly DrillCall[]): Promise<void> {
  const stillOpen = (): Promise<number> => parley.openCalls(calls);
  await expect.poll(stillOpen, { timeout: RECORDED_WITHIN_MS, interval: 100 }).toBe(0);
  for (const { sessionId, said } of calls) {
    const events = await parley.recorded(sessionId);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    const turns = events.filter((event) => event.type === "call.message" && event.turn > 0);
    expect(turns.flatMap((event) => (event.type === "call.message" ? [event.text] : []))).toEqual(said);
    expect(events[0]?.type).toBe("call.started");
    expect(events.filter(({ type }) => type === "call.ended")).toHaveLength(1);
  }
}
