import { connect, createServer, type Server, type Socket } from "node:net";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { freePort, startRedis, type TestRedis } from "../../testkit/redis.ts";
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
    await expect.poll(() => bus.isReady()).toBe(true);
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

  it("sends a reader home that is told to stop, however long it would wait", async () => {
    const url = `redis://127.0.0.1:${redis.port}`;
    const patient = await connectRedisBus({ url, log, silenceTimeoutMs: 600_000 });
    const stop = new AbortController();
    const reading = patient.streams.read("stopped", { ...READER, blockMs: 600_000, signal: stop.signal });
    await expect.poll(() => admin.info("clients")).toContain("blocked_clients:1");
    stop.abort();
    expect(await reading).toEqual([]);
    await patient.close();
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
    await expect.poll(() => bus.isReady()).toBe(true);
    await expectWorking("s");
    await expect
      .poll(async () => {
        await bus.channels.publish("news", "back");
        return heard.at(-1);
      })
      .toBe("back");
  });

  describe.each([
    ["is full", ["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"]],
    ["was demoted to a replica", ["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"]],
    [
      "is short of replicas",
      ["CONFIG", "SET", "min-replicas-to-write", "1"],
      ["CONFIG", "SET", "min-replicas-to-write", "0"],
    ],
  ])("that %s and answers reads", (_, breakIt, mendIt) => {
    const tell = ([command = "", ...args]: string[]) => admin.call(command, ...args);

    it("is not ready, refuses with words, and counts from the first write it takes again", async () => {
      await bus.keys.set("node", "here", 60_000);
      await tell(breakIt);
      await expect(bus.keys.set("k", "v", 1_000)).rejects.toMatchObject({ code: "unavailable", status: 503 });
      await expect(bus.streams.append("s", "x")).rejects.toMatchObject({ code: "unavailable" });
      expect(await bus.keys.get("node")).toBe("here");
      expect(bus.isReady()).toBe(false);
      expect(bus.writableForMs()).toBe(0);
      await tell(mendIt);
      const mendedMs = performance.now();
      await bus.keys.set("k", "v", 1_000);
      expect(bus.isReady()).toBe(true);
      expect(bus.writableForMs()).toBeLessThanOrEqual(performance.now() - mendedMs);
    });

    it("is noticed by a process that writes nothing, and so is its end", async () => {
      await tell(breakIt);
      await expect.poll(() => bus.isReady(), { timeout: 90_000 }).toBe(false);
      await tell(mendIt);
      await expect.poll(() => bus.isReady(), { timeout: 90_000 }).toBe(true);
    });
  });

  it("makes its groups again when Redis came back empty", async () => {
    await expectWorking("emptied");
    await admin.flushall();
    expect(await bus.streams.backlog("emptied", "g")).toBe(0);
    await expect(bus.streams.read("emptied", READER)).rejects.toThrow("NOGROUP");
    await expectWorking("emptied");
  });
});

describe.runIf(needs("redis"))("a Redis with much else in it", () => {
  let redis: TestRedis;
  let admin: Redis;
  const buses: Bus[] = [];
  const open = async (keyPrefix?: string): Promise<Bus> => {
    const url = `redis://127.0.0.1:${redis.port}`;
    const bus = await connectRedisBus({ url, log, ...(keyPrefix === undefined ? {} : { keyPrefix }) });
    buses.push(bus);
    return bus;
  };
  beforeAll(async () => {
    redis = await startRedis(await freePort(), ["enable-debug-command local"]);
    admin = adminOf(redis);
  });
  afterAll(async () => {
    for (const bus of buses) await bus.close();
    admin.disconnect();
    await redis.kill();
  });

  /** How often a command was carried out since the last reset. */
  async function callsOf(command: string): Promise<number> {
    const stats = await admin.info("commandstats");
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  }

  it("lists nodes in two commands, however many nodes and other keys there are", async () => {
    const [gateway, api] = [await open("many:"), await open("many:")];
    await admin.call("DEBUG", "POPULATE", "100000", "many:live");
    expect((await api.keys.list("node:")).size).toBe(0);
    for (const name of ["node:1", "node:2", "node:3"]) await gateway.keys.set(name, name, 60_000);
    expect((await api.keys.list("node:")).size).toBe(3);
    const other = await open("many:");
    const beganMs = performance.now();
    await admin.config("RESETSTAT");
    for (let i = 0; i < 100; i++) expect((await other.keys.list("node:")).size).toBe(3);
    for (const never of ["scan", "get", "keys"]) expect(await callsOf(never)).toBe(0);
    // A list is looked up again when it is a second old.
    const lookUps = 1 + Math.ceil((performance.now() - beganMs) / 1_000);
    for (const command of ["hgetall", "smembers"])
      expect(await callsOf(command)).toBeLessThanOrEqual(lookUps);
  });

  it("finds the nodes of the version before, which lists them otherwise, and is found by it", async () => {
    await admin.set("rolling:node:old", "of the version before", "PX", 60_000);
    await admin.sadd("rolling:index:node:", "rolling:node:old");
    const [api, gateway] = [await open("rolling:"), await open("rolling:")];
    expect([...(await api.keys.list("node:")).keys()]).toEqual(["node:old"]);
    await gateway.keys.set("node:new", "of this version", 60_000);
    await expect
      .poll(async () => [...(await api.keys.list("node:")).keys()].sort(), { timeout: 90_000 })
      .toEqual(["node:new", "node:old"]);
    // The version before walks all keys for those that its list lacks.
    const [, scanned] = await admin.scan(0, "MATCH", "rolling:node:*", "COUNT", 1_000_000);
    expect(scanned.sort()).toEqual(["rolling:node:new", "rolling:node:old"]);
    await gateway.keys.delete("node:new");
    await admin.del("rolling:node:old");
    await expect.poll(async () => (await api.keys.list("node:")).size, { timeout: 90_000 }).toBe(0);
    await expect.poll(() => admin.smembers("rolling:index:node:")).toEqual([]);
  });

  it("keeps installations with different prefixes apart: keys, lists, streams and channels", async () => {
    const [blue, green] = [await open("blue:"), await open("green:")];
    const heard: string[] = [];
    await blue.channels.subscribe("news", (text) => heard.push(`blue ${text}`));
    await green.channels.subscribe("news", (text) => heard.push(`green ${text}`));
    await blue.channels.publish("news", "1");
    await blue.keys.set("node:1", "blue", 60_000);
    await blue.keys.set("plan:1", "blue", 60_000);
    await blue.streams.append("events", "1");
    await green.channels.publish("news", "2");
    await expect.poll(() => heard.toSorted()).toEqual(["blue 1", "green 2"]);
    expect((await green.keys.list("node:")).size).toBe(0);
    expect(await green.keys.take("plan:1")).toBeUndefined();
    expect(await green.streams.read("events", READER)).toEqual([]);
    expect((await blue.streams.read("events", READER)).map(({ payload }) => payload)).toEqual(["1"]);
    const foreign = (await admin.keys("*")).filter((key) => !/^(many|rolling|blue|green|parley):/.test(key));
    expect(foreign).toEqual([]);
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
    await expect.poll(() => bus.isReady()).toBe(true);
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
