import { describe } from "vitest";
import { needs, testRedisUrl } from "../../testkit/needs.ts";
import { systemClock } from "../clock.ts";
import { createLogger } from "../log.ts";
import { describeBusContract, LANES } from "./bus.contract.ts";
import { createMemoryBus } from "./memory.ts";
import { connectRedisBus } from "./redis.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const keyPrefix = `test-${process.pid}-${Math.random().toString(36).slice(2)}:`;

describeBusContract("the bus inside a process", async () =>
  createMemoryBus({ clock: systemClock, log, lanes: LANES }),
);

describe.runIf(needs("redis"))("Redis", () => {
  describeBusContract("the bus between processes", () =>
    connectRedisBus({ url: testRedisUrl(), log, keyPrefix, lanes: LANES }),
  );
});
