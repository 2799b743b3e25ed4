import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { type GatewayProcess, Installation } from "./support/installation.ts";
import { metricOf } from "./support/metric-of.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

/** The life of a registration, the time a node may be late, a sweep, and a machine that is busy. */
const HANDED_OVER_WITHIN_MS = 60_000;

describe.runIf(needs("redis") && needs("postgres"))("A gateway killed while Redis is away", () => {
  let parley: Installation;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    parley = await Installation.start();
    await parley.startControlApi();
    gateway = await parley.startGateway();
  });
  afterAll(() => parley.remove());

  it("leaves its events on disk, and the next gateway there hands each over", DRILL, async () => {
    const calls = await parley.calls(sizeOf("gatewayKilledWithoutRedis").calls);
    await Promise.all(calls.map((call) => call.ask("Can you hear me?")));
    await expect.poll(() => metricOf(gateway, "parley_event_spill_size")).toBe(0);
    await parley.redis.crash();
    await Promise.all(calls.map((call) => call.ask("And now?")));
    // Two messages and the figures of the turn.
    const waiting = 3 * calls.length;
    await expect.poll(() => metricOf(gateway, "parley_event_spill_size")).toBe(waiting);
    await expect.poll(() => parley.keptEvents(gateway.nodeId).then(({ length }) => length)).toBe(waiting);
    await gateway.server.kill();

    await parley.redis.restart();
    await parley.startGateway();
    for (const { sessionId, said } of calls) {
      const texts = async (): Promise<string[]> =>
        (await parley.recorded(sessionId)).flatMap((event) =>
          event.type === "call.message" ? [event.text] : [],
        );
      await expect.poll(texts, { timeout: HANDED_OVER_WITHIN_MS, interval: 100 }).toEqual(said);
    }
    await expect
      .poll(() => parley.openCalls(calls), { timeout: HANDED_OVER_WITHIN_MS, interval: 100 })
      .toBe(0);
    for (const { sessionId } of calls) {
      const events = await parley.recorded(sessionId);
      expect(events.filter(({ type }) => type === "call.ended")).toHaveLength(1);
    }
    await expect.poll(() => parley.keptEvents(gateway.nodeId)).toEqual([]);
  });
});
