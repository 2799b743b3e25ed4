import { connect, createServer, type Server, type Socket } from "node:net";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../tests/support/needs.ts";
import { freePort, startRedis, type TestRedis } from "../../tests/support/redis.ts";
import { createLogger } from "../log.ts";
import type { Bus } from "./bus.ts";
import { connectRedisBus } from "./redis.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const READER = { group: "g", consumer: "a", count: 100, blockMs: 0, claimAfterMs: 60_000 };

describe.runIf(needs("redis"))("the bus on Redis", () => {
  let redis: TestRedis;
  let admin: Redis;
  let bus: Bus;
  beforeAll(async () => {
    redis = await startRedis(await freePort());
    admin = adminOf(redis);
    bus = await connectRedisBus({ url: `redis://127.0.0.1:${redis.port}`, log });
  });
  afterAll(async () => {
    await bus.close();
    admin.disconnect();
    await redis.kill();
  });

  /** Reads and writes until all of it works again. */
  async function expectWorking(name: string): Promise<void> {
    await expect.poll(() => bus.isReady(), { timeout: 10_000 }).toBe(true);
    await bus.streams.append(name, "y");
    const entries = await bus.streams.read(name, { ...READER, blockMs: 100 });
    expect(entries.map(({ payload }) => payload)).toEqual(["y"]);
  }

  it("subscribes and waits again when its connections are killed", async () => {
    const heard: string[] = [];
    const stop = await bus.channels.subscribe("news", (text) => heard.push(text));
    const waiting = bus.streams.read("killed", { ...READER, blockMs: 5_000 });
    const failed = expect(waiting).rejects.toThrow();
    const outagesBefore = bus.outages();
    for (const type of ["normal", "pubsub"]) await admin.call("CLIENT", "KILL", "TYPE", type);
    await failed;
    await expectWorking("killed");
    expect(bus.outages()).toBeGreaterThan(outagesBefore);
    await expect
      .poll(async () => {
        await bus.channels.publish("news", "back");
        return heard.at(-1);
      })
      .toBe("back");
    await stop();
  });

  it("leaves for good the channels that were left while Redis was away", async () => {
    const stops = [
      await bus.channels.subscribe("ended", () => undefined),
      await bus.channels.subscribe("live", () => undefined),
    ];
    await admin.call("CLIENT", "KILL", "TYPE", "pubsub");
    await expect.poll(() => bus.isReady()).toBe(false);
    await stops[0]?.();
    await expect.poll(() => bus.isReady()).toBe(true);
    await expect.poll(() => admin.pubsub("CHANNELS")).toEqual(["parley:live"]);
    await stops[1]?.();
    await expect.poll(() => admin.pubsub("CHANNELS")).toEqual([]);
  });

  it("keeps a stream short as it is acknowledged, and loses nothing that is not", async () => {
    const total = 2_000;
    await Promise.all(Array.from({ length: total }, (_, i) => bus.streams.append("long", String(i))));
    const stuck = await bus.streams.read("long", { ...READER, consumer: "dead", count: 1 });
    for (;;) {
      const entries = await bus.streams.read("long", READER);
      if (entries.length === 0) break;
      await bus.streams.ack(
        "long",
        "g",
        entries.map(({ entryId }) => entryId),
      );
    }
    expect(await admin.xlen("parley:long")).toBe(total);
    const claimed = await bus.streams.read("long", { ...READER, claimAfterMs: 0 });
    expect(claimed.map(({ payload }) => payload)).toEqual(stuck.map(({ payload }) => payload));
    await bus.streams.ack(
      "long",
      "g",
      claimed.map(({ entryId }) => entryId),
    );
    expect(await bus.streams.backlog("long", "g")).toBe(0);
    await Promise.all(Array.from({ length: 300 }, (_, i) => bus.streams.append("long", String(i))));
    for (let i = 0; i < 3; i++) {
      const entries = await bus.streams.read("long", READER);
      await bus.streams.ack(
        "long",
        "g",
        entries.map(({ entryId }) => entryId),
      );
    }
    expect(await admin.xlen("parley:long")).toBeLessThan(256);
  });

  it("forgets readers that are gone, and none that still owes an entry", async () => {
    const url = `redis://127.0.0.1:${redis.port}`;
    const tidy = await connectRedisBus({ url, log, forgetConsumersAfterMs: 100 });
    const readAs = (consumer: string) => tidy.streams.read("readers", { ...READER, consumer, count: 1 });
    for (const payload of ["done", "owed", "next"]) await tidy.streams.append("readers", payload);
    const [done] = await readAs("gone");
    await readAs("debtor");
    await bus.streams.ack("readers", "g", [done?.entryId ?? ""]);
    const names = async (): Promise<unknown[]> =>
      ((await admin.xinfo("CONSUMERS", "parley:readers", "g")) as unknown[][]).map(([, name]) => name);
    expect(await names()).toEqual(["debtor", "gone"]);
    // A process tidies up with its first acknowledgement, and then now and then.
    await expect
      .poll(async () => {
        const process = await connectRedisBus({ url, log, forgetConsumersAfterMs: 100 });
        await process.streams.ack("readers", "g", [done?.entryId ?? ""]);
        await process.close();
        return names();
      })
      .toEqual(["debtor"]);
    await tidy.close();
  });

  it("is refused with words when no Redis answers at the start", async () => {
    const url = `redis://:secret@127.0.0.1:${await freePort()}`;
    const refused = connectRedisBus({ url, log, startTimeoutMs: 100 });
    await expect(refused).rejects.toThrow("REDIS_URL");
    await expect(refused).rejects.not.toThrow("secret");
  });

  it("fails at once while Redis is away, and goes on with its subscriptions when it is back", async () => {
    const heard: string[] = [];
    await bus.channels.subscribe("news", (text) => heard.push(text));
    const { port } = redis;
    await redis.kill();
    await expect.poll(() => bus.isReady()).toBe(false);
    await expect(bus.streams.append("s", "x")).rejects.toThrow();
    redis = await startRedis(port);
    await expect.poll(() => bus.isReady(), { timeout: 10_000 }).toBe(true);
    await expectWorking("s");
    await expect
      .poll(async () => {
        await bus.channels.publish("news", "back");
        return heard.at(-1);
      })
      .toBe("back");
  });

  it("makes its groups anew when Redis came back empty", async () => {
    await expectWorking("emptied");
    await admin.flushall();
    expect(await bus.streams.backlog("emptied", "g")).toBe(0);
    await expect(bus.streams.read("emptied", READER)).rejects.toThrow("NOGROUP");
    await expectWorking("emptied");
  });
});

describe.runIf(needs("redis"))("a Redis that falls silent without hanging up", () => {
  let redis: TestRedis;
  let network: Network;
  let admin: Redis;
  let bus: Bus;
  beforeAll(async () => {
    redis = await startRedis(await freePort());
    admin = adminOf(redis);
    network = await startNetwork(redis.port);
    const url = `redis://127.0.0.1:${network.port}`;
    bus = await connectRedisBus({ url, log, silenceTimeoutMs: 200 });
  });
  afterAll(async () => {
    await bus.close();
    admin.disconnect();
    network.close();
    await redis.kill();
  });

  it("is noticed by commands, by waiting reads and by subscribers, and found again", async () => {
    const heard: string[] = [];
    await bus.channels.subscribe("news", (text) => heard.push(text));
    const reading = bus.streams.read("s", { ...READER, blockMs: 60_000 });
    const failed = expect(reading).rejects.toThrow();
    await expect.poll(() => admin.info("clients")).toContain("blocked_clients:1");
    network.split();
    await expect(bus.keys.get("k")).rejects.toThrow();
    await failed;
    await expect.poll(() => network.silentSockets()).toBe(0);
    network.heal();
    await expect.poll(() => bus.isReady(), { timeout: 10_000 }).toBe(true);
    await expect
      .poll(async () => {
        await bus.channels.publish("news", "back");
        return heard.at(-1);
      })
      .toBe("back");
  });
});

/** A client of the test's own, for what is no business of the bus. */
function adminOf({ port }: TestRedis): Redis {
  const admin = new Redis({ port, host: "127.0.0.1", retryStrategy: () => 50, maxRetriesPerRequest: null });
  admin.on("error", () => undefined);
  return admin;
}

/** What lies between the bus and its Redis, and can fall silent. */
interface Network {
  readonly port: number;
  split(): void;
  heal(): void;
  /** Sockets from before the split that the bus still holds. */
  silentSockets(): number;
  close(): void;
}

async function startNetwork(redisPort: number): Promise<Network> {
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  let isSplit = false;
  const server: Server = createServer((near) => {
    if (isSplit) {
      near.destroy();
      return;
    }
    const far = connect(redisPort, "127.0.0.1");
    open.add(near);
    near.on("data", (bytes) => isSplit || silent.has(near) || far.write(bytes));
    far.on("data", (bytes) => isSplit || silent.has(near) || near.write(bytes));
    near.on("error", () => undefined);
    far.on("error", () => undefined);
    near.on("close", () => {
      far.destroy();
      open.delete(near);
      silent.delete(near);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    split: () => {
      isSplit = true;
      for (const socket of open) silent.add(socket);
    },
    heal: () => {
      isSplit = false;
    },
    silentSockets: () => silent.size,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
