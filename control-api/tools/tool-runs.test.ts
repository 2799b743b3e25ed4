import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { createLogger } from "@parley/shared/log.ts";
import { describe } from "vitest";
import { needs, testRedisUrl } from "../../testkit/needs.ts";
import { describeToolRuns } from "./tool-runs.contract.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const keyPrefix = `test-${process.pid}-${Math.random().toString(36).slice(2)}:`;

describeToolRuns("a tool asked for within a process", async () =>
  createMemoryBus({ clock: systemClock, log }),
);

describe.runIf(needs("redis"))("Redis", () => {
  describeToolRuns("a tool asked for between processes", () =>
    connectRedisBus({ url: testRedisUrl(), log, keyPrefix }),
  );
});
