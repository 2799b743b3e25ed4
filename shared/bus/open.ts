import type { Clock } from "../clock.ts";
import type { Logger } from "../log.ts";
import type { Bus } from "./bus.ts";
import { createMemoryBus } from "./memory.ts";
import { connectRedisBus } from "./redis.ts";

/** The configured bus: Redis between processes, or the one inside this process. */
export async function openBus(deps: {
  redisUrl: string | undefined;
  clock: Clock;
  log: Logger;
}): Promise<Bus> {
  const { redisUrl, clock, log } = deps;
  return redisUrl === undefined ? createMemoryBus({ clock, log }) : connectRedisBus({ url: redisUrl, log });
}
