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
