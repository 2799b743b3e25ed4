import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { TestRedisCluster } from "../../testkit/redis-cluster.ts";
import { createLogger } from "../log.ts";
import type { Bus } from "./bus.ts";
import { connectRedisBus } from "./redis.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const READER = { group: "g", consumer: "a", count: 100, blockMs: 0, claimAfterMs: 60_000 };
/** A silent master is replaced within seconds; the rest is patience on a busy machine. */
const PATIENCE = { timeout: 90_000, interval: 50 };

describe.runIf(needs("redis"))("a cluster that loses a master", () => {
  let cluster: TestRedisCluster;
  let bus: Bus;
  beforeAll(async () => {
    cluster = await TestRedisCluster.start();
    bus = await connectRedisBus({ url: cluster.url, log });
  });
  afterAll(async () => {
    await bus.close();
    await cluster.remove();
  });

  it("keeps what was stored, and hears and stores again what goes through the master's slots", async () => {
    const heard: string[] = [];
    await bus.channels.subscribe("channel{1}", (text) => heard.push(text));
    await bus.channels.publish("channel{1}", "before");
    await expect.poll(() => heard).toEqual(["before"]);
    await bus.keys.set("key{1}", "kept", 600_000);
    for (const payload of ["1", "2", "3"]) await bus.streams.append("stream{1}", payload);
    const [first] = await bus.streams.read("stream{1}", { ...READER, count: 1 });
    await bus.streams.ack("stream{1}", "g", [first?.entryId ?? ""]);
    const outages = bus.outages();

    // The name in braces decides the slot.
    await cluster.killMasterOf("{1}");

    await expect.poll(() => bus.outages(), PATIENCE).toBeGreaterThan(outages);
    await expect
      .poll(
        () =>
          bus.streams.append("stream{1}", "4").then(
            () => "stored",
            () => "refused",
          ),
        PATIENCE,
      )
      .toBe("stored");
    await expect
      .poll(async () => {
        await bus.channels.publish("channel{1}", "after").catch(() => undefined);
        return heard.at(-1);
      }, PATIENCE)
      .toBe("after");
    expect(await bus.keys.get("key{1}")).toBe("kept");
    const rest = await bus.streams.read("stream{1}", READER);
    // A try that seemed to fail may have been stored, too.
    expect([...new Set(rest.map(({ payload }) => payload))]).toEqual(["2", "3", "4"]);
    await expect.poll(() => bus.isReady(), PATIENCE).toBe(true);
  });
});
