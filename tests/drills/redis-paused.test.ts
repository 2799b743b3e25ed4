import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { expectRecordedOnce } from "./support/expect-recorded.ts";
import { type GatewayProcess, Installation } from "./support/installation.ts";
import { metricOf } from "./support/metric-of.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

/** A loop that waits for Redis stands still for seconds; a machine that is busy with others does not. */
const MAX_LAG_SECS = 2;
/** Far more than the events that wait, far less than a queue that forgets nothing would take. */
const MAX_GROWTH_BYTES = 128 * 1024 * 1024;

/** The worst case for a client: connections stay open, commands are taken and none is answered. */
describe.runIf(needs("redis") && needs("postgres"))("Redis that hangs under live calls", () => {
  let parley: Installation;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    parley = await Installation.start();
    await parley.startControlApi();
    gateway = await parley.startGateway();
  });
  afterAll(() => parley.remove());

  it("holds up no call and no event loop, and loses and doubles no event", DRILL, async () => {
    const { calls: count, awayMs } = sizeOf("redisPaused");
    const calls = await parley.calls(count);
    await Promise.all(calls.map((call) => call.ask("Can you hear me?")));
    const bytesBefore = await metricOf(gateway, "process_resident_memory_bytes");

    parley.redis.pause();
    const untilMs = performance.now() + awayMs;
    do {
      await Promise.all(calls.map((call) => call.ask("And now?")));
      expect(await metricOf(gateway, "parley_event_loop_lag_seconds")).toBeLessThan(MAX_LAG_SECS);
    } while (performance.now() < untilMs);
    const grownBytes = (await metricOf(gateway, "process_resident_memory_bytes")) - bytesBefore;
    expect(grownBytes).toBeLessThan(MAX_GROWTH_BYTES);
    parley.redis.resume();

    await Promise.all(calls.map((call) => call.ask("And after it?")));
    await Promise.all(calls.map((call) => call.hangUp()));
    await expectRecordedOnce(parley, calls);
    expect(await metricOf(gateway, "parley_event_spill_size")).toBe(0);
    expect(await metricOf(gateway, "parley_call_events_lost_total")).toBe(0);
  });
});
