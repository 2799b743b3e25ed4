import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { BlackHole } from "../../testkit/black-hole.ts";
import { needs } from "../../testkit/needs.ts";
import { freePort, startRedis } from "../../testkit/redis.ts";
import { createLogger } from "../log.ts";
import { ManualClock } from "../manual-clock.ts";
import type { Bus } from "./bus.ts";
import { connectRedisBus } from "./redis.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });

it.runIf(needs("redis"))(
  "gives up a connection that is accepted and not answered, and makes another",
  async () => {
    const redis = await startRedis(await freePort());
    const hole = await BlackHole.before(`redis://127.0.0.1:${redis.port}`);
    onTestFinished(async () => {
      await hole.close();
      await redis.kill();
    });
    const clock = new ManualClock();
    hole.cut();
    let bus: Bus | undefined;
    const connecting = connectRedisBus({ url: hole.url, log, clock, startTimeoutMs: 600_000 }).then(
      (made) => {
        bus = made;
      },
    );
    await expect.poll(() => hole.connections).toBe(3);
    hole.replace();
    await expect
      .poll(() => {
        clock.advance(3_000);
        return bus?.isReady();
      })
      .toBe(true);
    await connecting;
    await bus?.close();
  },
);

it.runIf(needs("redis"))(
  "reopens the connections that fell silent together with one that owed a reply",
  async () => {
    const redis = await startRedis(await freePort());
    const hole = await BlackHole.before(`redis://127.0.0.1:${redis.port}`);
    const clock = new ManualClock();
    const bus = await connectRedisBus({ url: hole.url, log, clock, silenceTimeoutMs: 3_000 });
    onTestFinished(async () => {
      await bus.close();
      await hole.close();
      await redis.kill();
    });
    const heard: string[] = [];
    await bus.channels.subscribe("news", (text) => heard.push(text));
    hole.swallow();
    // Less than the interval of the subscriber's pings: it owes nothing, and neither does the reader.
    clock.advance(2_000);
    await expect(bus.keys.get("asked")).rejects.toThrow();
    await expect.poll(() => bus.outages()).toBeGreaterThanOrEqual(3);
    await expect.poll(() => bus.isReady()).toBe(true);
    await expect
      .poll(async () => {
        await bus.channels.publish("news", "back");
        return heard.at(-1);
      })
      .toBe("back");
    await bus.streams.append("events", "one");
    const read = await bus.streams.read("events", {
      ...{ group: "g", consumer: "a", count: 1, claimAfterMs: 60_000 },
      blockMs: 600_000,
    });
    expect(read.map(({ payload }) => payload)).toEqual(["one"]);
  },
);

it.runIf(needs("redis"))(
  "hears again on a cluster whose connections fell silent as it only listened",
  async () => {
    const port = await freePort();
    const hole = await BlackHole.before(`redis://127.0.0.1:${port}`);
    const holePort = new URL(hole.url).port;
    // A cluster of one node, which tells its clients to come through the hole.
    const redis = await startRedis(port, [
      "cluster-enabled yes",
      `cluster-port ${await freePort()}`,
      "cluster-announce-ip 127.0.0.1",
      `cluster-announce-port ${holePort}`,
    ]);
    const admin = new Redis({ port, host: "127.0.0.1" });
    await admin.cluster("ADDSLOTSRANGE", 0, 16_383);
    await expect.poll(() => admin.cluster("INFO")).toContain("cluster_state:ok");
    const clock = new ManualClock();
    const url = `redis+cluster://127.0.0.1:${holePort}`;
    const bus = await connectRedisBus({ url, log, clock, silenceTimeoutMs: 3_000 });
    onTestFinished(async () => {
      await bus.close();
      admin.disconnect();
      await redis.kill();
      await hole.close();
    });
    const heard: string[] = [];
    await bus.channels.subscribe("news", (text) => heard.push(text));
    const publish = (text: string) => bus.channels.publish("news", text).catch(() => undefined);
    await publish("before");
    await expect.poll(() => heard).toEqual(["before"]);
    hole.swallow();
    clock.advance(3_000);
    await expect
      .poll(async () => {
        await publish("after");
        return heard.at(-1);
      })
      .toBe("after");
  },
);
