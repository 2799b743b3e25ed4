import { afterAll, describe } from "vitest";
import { needs } from "../../tests/support/needs.ts";
import { freePort, startRedis, startSentinel, type TestRedis } from "../../tests/support/redis.ts";
import { createLogger } from "../log.ts";
import { describeBusContract } from "./bus.contract.ts";
import type { Bus } from "./bus.ts";
import { connectRedisBus } from "./redis.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });

describe.runIf(needs("redis"))("Redis of several hosts", () => {
  const servers: TestRedis[] = [];
  afterAll(async () => {
    for (const server of servers) await server.kill();
  });

  describeBusContract("the bus behind sentinels", async (): Promise<Bus> => {
    const master = await startRedis(await freePort());
    const sentinel = await startSentinel(await freePort(), master.port, "main");
    servers.push(master, sentinel);
    return connectRedisBus({ url: `redis+sentinel://127.0.0.1:${sentinel.port}/main`, log });
  });
});
