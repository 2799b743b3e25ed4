import { expect, it, onTestFinished } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { freePort, startRedis, startSentinel, type TestRedis, tellRedis } from "../../testkit/redis.ts";
import { createLogger } from "../log.ts";
import { ManualClock } from "../manual-clock.ts";
import type { Bus } from "./bus.ts";
import { connectRedisBus } from "./redis.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
/** Sentinels act within seconds; the rest is patience on a busy machine. */
const PATIENCE = { timeout: 90_000, interval: 100 };
/** So the sentinel cannot tell it that it is no master any more, as if it could not reach it. */
const CANNOT_BE_DEMOTED = ['rename-command SLAVEOF ""', 'rename-command REPLICAOF ""'];

it.runIf(needs("redis"))(
  "leaves a master that still answers as soon as a sentinel names another, and reads there what others write a moment longer",
  async () => {
    const servers: TestRedis[] = [];
    const started = async (server: Promise<TestRedis>): Promise<TestRedis> => {
      servers.push(await server);
      return server;
    };
    onTestFinished(async () => {
      for (const server of servers) await server.kill();
    });
    const first = await started(startRedis(await freePort(), CANNOT_BE_DEMOTED));
    const second = await started(startRedis(await freePort(), [`replicaof 127.0.0.1 ${first.port}`]));
    await expect.poll(() => tellRedis(first.port, "INFO replication"), PATIENCE).toContain("state=online");
    const sentinel = await started(startSentinel(await freePort(), first.port, "main"));
    const clock = new ManualClock();
    const url = `redis+sentinel://127.0.0.1:${sentinel.port}/main`;
    const bus = await connectRedisBus({ url, log, clock, silenceTimeoutMs: 600_000 });
    const straggler = await connectRedisBus({ url: `redis://127.0.0.1:${first.port}`, log });
    onTestFinished(async () => {
      await bus.close();
      await straggler.close();
    });
    const heard: string[] = [];
    await bus.channels.subscribe("news", (text) => heard.push(text));
    const read: string[] = [];
    const reading = readAll(bus, (payload) => read.push(payload));
    await bus.streams.append("events", "before");
    await expect.poll(() => read, PATIENCE).toEqual(["before"]);
    clock.advance(1_000);
    // It has asked for the first one, over the connection that it keeps.
    await expect.poll(() => tellRedis(sentinel.port, "CLIENT LIST"), PATIENCE).toContain("cmd=sentinel");

    await expect.poll(() => tellRedis(sentinel.port, "SENTINEL FAILOVER main"), PATIENCE).toContain("OK");
    await expect
      .poll(() => tellRedis(sentinel.port, "SENTINEL get-master-addr-by-name main"), PATIENCE)
      .toContain(String(second.port));
    clock.advance(1_000);

    await expect
      .poll(async () => {
        await bus.keys.set("where", "here", 600_000).catch(() => undefined);
        return tellRedis(second.port, "GET parley:where");
      }, PATIENCE)
      .toContain("here");
    expect(await tellRedis(first.port, "INFO replication")).toContain("role:master");
    await expect
      .poll(async () => {
        await bus.channels.publish("news", "after").catch(() => undefined);
        return heard.at(-1);
      }, PATIENCE)
      .toBe("after");
    await straggler.streams.append("events", "late");
    await expect.poll(() => read, PATIENCE).toEqual(["before", "late"]);
    await bus.streams.append("events", "one");
    clock.advance(3_000);
    await expect.poll(() => read.at(-1), PATIENCE).toBe("one");
    await expect.poll(() => bus.isReady(), PATIENCE).toBe(true);
    reading.stop();
  },
  300_000,
);

/** Reads on through failures, as an event projector does. */
function readAll(bus: Bus, onPayload: (payload: string) => void): { stop: () => void } {
  let isOver = false;
  const loop = async (): Promise<void> => {
    while (!isOver) {
      const entries = await bus.streams
        .read("events", { group: "g", consumer: "a", count: 1, blockMs: 1_000, claimAfterMs: 60_000 })
        .catch(() => new Promise<[]>((resolve) => setTimeout(() => resolve([]), 50)));
      for (const { entryId, payload } of entries) {
        onPayload(payload);
        await bus.streams.ack("events", "g", [entryId]).catch(() => undefined);
      }
    }
  };
  void loop();
  return {
    stop: () => {
      isOver = true;
    },
  };
}
