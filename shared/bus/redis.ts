import { type Clock, systemClock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Bus } from "./bus.ts";
import { RedisChannels } from "./redis-channels.ts";
import { RedisClients } from "./redis-clients.ts";
import { RedisKeys } from "./redis-keys.ts";
import { STANDARD_PREFIX } from "./redis-prefix.ts";
import { RedisReaders } from "./redis-readers.ts";
import { RedisStreams } from "./redis-streams.ts";
import { RedisWrites } from "./redis-writes.ts";

export interface RedisBusOptions {
  readonly url: string;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Prefix of every key, stream, and channel, so that installations can share a Redis. */
  readonly keyPrefix?: string;
  /** Lanes into which keyed entries of a stream are split. */
  readonly lanes?: number;
  /** A connection that owes a reply for this long is reopened; no read waits longer either. */
  readonly silenceTimeoutMs?: number;
  /** Stream readers not seen for this long that hold no entries are removed from their groups. */
  readonly forgetConsumersAfterMs?: number;
  /** Time limit of the first connect. */
  readonly startTimeoutMs?: number;
}

const START_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 10_000;
/** Far longer than any reader waits: a reader silent for this long is gone. */
const FORGET_CONSUMERS_AFTER_MS = 10 * 60_000;

/** Connects the bus between processes. Rejects when Redis is unreachable at the start; reconnects later on. */
export async function connectRedisBus(options: RedisBusOptions): Promise<Bus> {
  const { url, log, clock = systemClock, keyPrefix: prefix = STANDARD_PREFIX, lanes = 1 } = options;
  const { silenceTimeoutMs = SILENCE_TIMEOUT_MS, startTimeoutMs = START_TIMEOUT_MS } = options;
  const { forgetConsumersAfterMs = FORGET_CONSUMERS_AFTER_MS } = options;
  const clients = new RedisClients({ url, clock, log, silenceTimeoutMs });
  const commands = clients.open("commands");
  const reader = clients.open("reads");
  const subscriber = clients.open("subscriptions");
  try {
    await clients.untilReady([commands, reader, subscriber], startTimeoutMs);
  } catch (cause) {
    clients.close();
    throw new AppError("unavailable", "REDIS_URL: no Redis answers there.", { cause });
  }
  const channels = new RedisChannels({ commands, subscriber }, { prefix, log });
  const stopPings = clock.every(silenceTimeoutMs, () => channels.ping());
  const readers = new RedisReaders(reader, () => clients.openReady("reads", startTimeoutMs));
  const writes = new RedisWrites({ clock, log });
  const stopProbing = writes.startProbing(commands, prefix);
  return {
    channels,
    streams: writes.streams(
      new RedisStreams(
        { commands, readers },
        { prefix, lanes, maxBlockMs: silenceTimeoutMs, forgetConsumersAfterMs },
      ),
    ),
    keys: writes.keys(new RedisKeys(commands, { clock, prefix })),
    isReady: () => clients.areReady() && !writes.isRefused,
    writableForMs: () => writes.acceptedForMs(),
    outages: () => clients.outages,
    close: async () => {
      stopPings();
      stopProbing();
      clients.close();
    },
  };
}
