import type { Clock } from "../clock.ts";
import type { Logger } from "../log.ts";
import type { Bus } from "./bus.ts";
import { createMemoryBus } from "./memory.ts";
import { connectRedisBus } from "./redis.ts";

/** Opens the configured bus: Redis between processes, or the one inside this process. */
export async function openBus(deps: {
  redisUrl: string | undefined;
  /** Prefix of the installation's keys in Redis. */
  redisPrefix?: string;
  /** Lanes into which keyed entries of a stream are split. */
  lanes?: number;
  clock: Clock;
  log: Logger;
}): Promise<Bus> {
  const { redisUrl, redisPrefix, lanes = 1, clock, log } = deps;
  if (redisUrl === undefined) return createMemoryBus({ clock, log, lanes });
  return connectRedisBus({
    url: redisUrl,
    log,
    lanes,
    ...(redisPrefix === undefined ? {} : { keyPrefix: redisPrefix }),
  });
}
