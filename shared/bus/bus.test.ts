import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs, testRedisUrl } from "../../tests/support/needs.ts";
import { systemClock } from "../clock.ts";
import { createLogger } from "../log.ts";
import { describeBusContract } from "./bus.contract.ts";
import type { Bus } from "./bus.ts";
import { createMemoryBus } from "./memory.ts";
import { connectRedisBus } from "./redis.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const keyPrefix = `test-${process.pid}-${Math.random().toString(36).slice(2)}:`;

describeBusContract("the bus inside a process", async () => createMemoryBus({ clock: systemClock }));

describe.runIf(needs("redis"))("Redis", () => {
  describeBusContract("the bus between processes", () =>
    connectRedisBus({ url: testRedisUrl(), log, keyPrefix }),
  );

  describe("when Redis goes away", () => {
    let port: number;
    let server: ChildProcess;
    let bus: Bus;

    beforeAll(async () => {
      port = await freePort();
      server = await startRedis(port);
      bus = await connectRedisBus({ url: `redis://127.0.0.1:${port}`, log });
    });
    afterAll(async () => {
      await bus.close();
      server.kill("SIGKILL");
    });

    it("fails at once while it is away, and goes on with its subscriptions when it is back", async () => {
      const heard: string[] = [];
      await bus.channels.subscribe("news", (text) => heard.push(text));
      const exited = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGKILL");
      await exited;
      await expect.poll(() => bus.isReady()).toBe(false);
      await expect(bus.streams.append("s", "x")).rejects.toThrow();
      server = await startRedis(port);
      await expect.poll(() => bus.isReady(), { timeout: 10_000 }).toBe(true);
      await bus.streams.append("s", "y");
      const reader = { group: "g", consumer: "a", count: 10, blockMs: 100, claimAfterMs: 60_000 };
      expect((await bus.streams.read("s", reader)).map(({ payload }) => payload)).toEqual(["y"]);
      await expect
        .poll(async () => {
          await bus.channels.publish("news", "back");
          return heard.at(-1);
        })
        .toBe("back");
    });
  });

  it("is refused with words when no Redis answers at the start", async () => {
    const url = `redis://:secret@127.0.0.1:${await freePort()}`;
    const refused = connectRedisBus({ url, log });
    await expect(refused).rejects.toThrow("REDIS_URL");
    await expect(refused).rejects.not.toThrow("secret");
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

async function startRedis(port: number): Promise<ChildProcess> {
  const child = spawn("redis-server", ["--port", String(port), "--save", "", "--appendonly", "no"], {
    stdio: "ignore",
  });
  const probe = new Redis({ port, host: "127.0.0.1", retryStrategy: () => 50, maxRetriesPerRequest: null });
  probe.on("error", () => undefined);
  await probe.ping();
  probe.disconnect();
  return child;
}
