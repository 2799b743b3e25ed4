import { Redis } from "ioredis";
import { afterAll, describe } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { freePort, startRedis, startSentinel, type TestRedis } from "../../testkit/redis.ts";
import { createLogger } from "../log.ts";
import { describeBusContract } from "./bus.contract.ts";
import type { Bus } from "./bus.ts";
import { connectRedisBus } from "./redis.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const SLOTS = 16_384;

describe.runIf(needs("redis"))("Redis of several hosts", () => {
  const servers: TestRedis[] = [];
  afterAll(async () => {
    for (const server of servers) await server.kill();
  });

  describeBusContract("the bus on a cluster", async (): Promise<Bus> => {
    const settings = async () => [
      "cluster-enabled yes",
      // The bus port is the port plus 10000 unless it is told.
      `cluster-port ${await freePort()}`,
      // A node learns its own address late, and clients pass over nodes without one.
      "cluster-announce-ip 127.0.0.1",
    ];
    const first = await startRedis(await freePort(), await settings());
    const second = await startRedis(await freePort(), await settings());
    servers.push(first, second);
    const [one, two] = [new Redis(first.port), new Redis(second.port)];
    await one.cluster("ADDSLOTSRANGE", 0, SLOTS / 2 - 1);
    await two.cluster("ADDSLOTSRANGE", SLOTS / 2, SLOTS - 1);
    const [, busPort = ""] = /@(\d+)/.exec(String(await two.cluster("NODES"))) ?? [];
    await one.call("CLUSTER", "MEET", "127.0.0.1", String(second.port), busPort);
    for (const client of [one, two]) {
      await untilTrue(async () => isWhole(await client.cluster("INFO")));
      client.disconnect();
    }
    return connectRedisBus({ url: `redis+cluster://127.0.0.1:${first.port},127.0.0.1:${second.port}`, log });
  });

  describeBusContract("the bus behind sentinels", async (): Promise<Bus> => {
    const master = await startRedis(await freePort());
    const sentinel = await startSentinel(await freePort(), master.port, "main");
    servers.push(master, sentinel);
    return connectRedisBus({ url: `redis+sentinel://127.0.0.1:${sentinel.port}/main`, log });
  });
});

function isWhole(info: unknown): boolean {
  return String(info).includes("cluster_state:ok") && String(info).includes("cluster_known_nodes:2");
}

async function untilTrue(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setImmediate(resolve));
}
