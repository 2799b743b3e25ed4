import { afterAll, describe } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { freePort, startRedis, startSentinel, type TestRedis } from "../../testkit/redis.ts";
import { TestRedisCluster } from "../../testkit/redis-cluster.ts";
import { createLogger } from "../log.ts";
import { describeBusContract, LANES } from "./bus.contract.ts";
import type { Bus } from "./bus.ts";
import { connectRedisBus } from "./redis.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });

describe.runIf(needs("redis"))("Redis of several hosts", () => {
  const servers: TestRedis[] = [];
  let cluster: TestRedisCluster | undefined;
  afterAll(async () => {
    await cluster?.remove();
    for (const server of servers) await server.kill();
  });

  describeBusContract("the bus on a cluster", async (): Promise<Bus> => {
    cluster = await TestRedisCluster.start();
    return connectRedisBus({ url: cluster.url, log, lanes: LANES });
  });

  describeBusContract("the bus behind sentinels", async (): Promise<Bus> => {
    const master = await startRedis(await freePort());
    const sentinel = await startSentinel(await freePort(), master.port, "main");
    servers.push(master, sentinel);
    return connectRedisBus({ url: `redis+sentinel://127.0.0.1:${sentinel.port}/main`, log, lanes: LANES });
  });
});
