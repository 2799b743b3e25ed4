import type { Clock } from "../clock.ts";
import type { Logger } from "../log.ts";
import type { Bus } from "./bus.ts";
import { createMemoryBus } from "./memory.ts";
import { connectRedisBus } from "./redis.ts";

/** The configured bus: Redis between processes, or the one inside this process. */
export async function openBus(deps: {
  redisUrl: string | undefined;
  /** Of the installation, on a Redis. */
  redisPrefix?: string;
  clock: Clock;
  log: Logger;
}): Promise<Bus> {
  const { redisUrl, redisPrefix, clock, log } = deps;
  if (redisUrl === undefined) return createMemoryBus({ clock, log });
  return connectRedisBus({
    url: redisUrl,
    log,
    ...(redisPrefix === undefined ? {} : { keyPrefix: redisPrefix }),
  });
}
