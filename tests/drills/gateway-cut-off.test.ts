// Real time: how long a node is cut off, against the life of its registration, is what is tested.
import { liveCallKey } from "@parley/shared/contracts/call-plan.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { BlackHole } from "../../testkit/black-hole.ts";
import { needs } from "../../testkit/needs.ts";
import { tellRedis } from "../../testkit/redis.ts";
import { elapsed } from "./support/elapsed.ts";
import { expectRecordedOnce } from "./support/expect-recorded.ts";
import { type GatewayProcess, Installation } from "./support/installation.ts";
import { metricOf } from "./support/metric-of.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

/** Connections that are found dead, a reconnect that backs off, and a watcher's look whether its call is over. */
const MENDED_WITHIN_MS = 45_000;

/** The network fails between one gateway and Redis, as everybody else goes on: nothing is closed, nothing is answered. */
describe.runIf(needs("redis") && needs("postgres"))("A gateway cut off from Redis", () => {
  let parley: Installation;
  let cable: BlackHole;
  let holder: GatewayProcess;
  let other: GatewayProcess;
  beforeAll(async () => {
    parley = await Installation.start();
    cable = await BlackHole.before(parley.redis.url);
    await parley.startControlApi();
    holder = await parley.startGateway({ REDIS_URL: cable.url });
  });
  afterAll(async () => {
    await parley.remove();
    await cable.close();
  });

  const { calls: count, cutMs, tooLongMs } = sizeOf("gatewayCutOff");
  async function endsLostCalls(): Promise<void> {
    const calls = await parley.calls(count);
    await Promise.all(calls.map((call) => call.ask("Can you hear me?")));
    cable.cut();
    await elapsed(tooLongMs);
    await Promise.all(calls.map((call) => call.ask("Still there?")));
    expect(await parley.openCalls(calls)).toBe(0);
    cable.replace();
    for (const call of calls) {
      await call.caller.untilClosed();
      expect(call.caller.messages.at(-1)).toEqual({ type: "ended", reason: "node_lost" });
    }
    for (const { sessionId, said } of calls) {
      const recorded = () => parley.recorded(sessionId);
      const texts = async () =>
        (await recorded()).flatMap((event) =>
          event.type === "call.message" && event.turn > 0 ? [event.text] : [],
        );
      // What was said meanwhile is handed over late, and added to the record.
      await expect.poll(texts, { timeout: MENDED_WITHIN_MS }).toEqual(said);
      expect((await recorded()).filter(({ type }) => type === "call.ended")).toHaveLength(1);
    }
  }
  if (tooLongMs > 0) it("ends, once it is back, the calls that were ended as lost", DRILL, endsLostCalls);

  /** A watcher on the node that does not hold the call, and what it is told. */
  async function watch(sessionId: string): Promise<string[]> {
    const url = new URL(await parley.streamUrl(sessionId));
    url.port = new URL(other.publicUrl).port;
    const topics: string[] = [];
    const socket = new WebSocket(url);
    socket.on("message", (data) => topics.push(JSON.parse(String(data)).topic));
    await new Promise((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    return topics;
  }

  it(
    "goes on with its calls, loses and doubles no event, and tells watchers what is over",
    DRILL,
    async () => {
      const calls = await parley.calls(count);
      await Promise.all(calls.map((call) => call.ask("Can you hear me?")));
      other = await parley.startGateway();
      const told = await Promise.all(calls.map(({ sessionId }) => watch(sessionId)));
      const [first] = calls;
      if (!first) throw new Error("no call");

      cable.cut();
      const cut = elapsed(cutMs);
      await Promise.all(calls.map((call) => call.ask("And now?")));
      expect((await first.hangUp()).code).toBe(1000);
      await cut;
      for (const topics of told) topics.length = 0;
      cable.replace();

      const others = calls.slice(1);
      await expect
        .poll(() => metricOf(holder, "parley_event_spill_size"), { timeout: MENDED_WITHIN_MS })
        .toBe(0);
      await Promise.all(others.map((call) => call.ask("And after it?")));
      for (const topics of told.slice(1)) await expect.poll(() => topics).toContain("call.turn");
      await expect.poll(() => told[0]?.at(-1), { timeout: MENDED_WITHIN_MS }).toBe("call.ended");
      expect(await tellRedis(parley.redis.port, `GET parley:${liveCallKey(first.sessionId)}`)).toBe(
        "$-1\r\n",
      );

      await Promise.all(others.map((call) => call.hangUp()));
      await expectRecordedOnce(parley, calls);
      for (const topics of told) await expect.poll(() => topics.at(-1)).toBe("call.ended");
      expect(await metricOf(holder, "parley_call_events_lost_total")).toBe(0);
    },
  );
});
