import { Redis } from "ioredis";
import { type Clock, systemClock } from "../clock.ts";
import { AppError, messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Bus } from "./bus.ts";
import { RedisChannels } from "./redis-channels.ts";
import { connectNow, openConnection, type RedisClient } from "./redis-connections.ts";
import { RedisKeys } from "./redis-keys.ts";
import { STANDARD_PREFIX } from "./redis-prefix.ts";
import { RedisStreams } from "./redis-streams.ts";
import { RedisWrites } from "./redis-writes.ts";

export interface RedisBusOptions {
  readonly url: string;
  readonly log: Logger;
  readonly clock?: Clock;
  /** In front of every key, stream and channel, so that installations can share a Redis. */
  readonly keyPrefix?: string;
  /** A connection that owes an answer for this long is opened again; no read waits longer either. */
  readonly silenceTimeoutMs?: number;
  /** Readers of a stream that were not heard of for so long, and owe nothing, are struck off its groups. */
  readonly forgetConsumersAfterMs?: number;
  /** How long the first connect may take. */
  readonly startTimeoutMs?: number;
}

const START_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 10_000;
/** Far longer than any reader waits: one that is silent for so long is gone. */
const FORGET_CONSUMERS_AFTER_MS = 10 * 60_000;

/** The bus between processes. Rejects when Redis cannot be reached at the start; later it reconnects. */
export async function connectRedisBus(options: RedisBusOptions): Promise<Bus> {
  const { url, log, clock = systemClock, keyPrefix: prefix = STANDARD_PREFIX } = options;
  const { silenceTimeoutMs = SILENCE_TIMEOUT_MS, startTimeoutMs = START_TIMEOUT_MS } = options;
  const { forgetConsumersAfterMs = FORGET_CONSUMERS_AFTER_MS } = options;
  const commands = openConnection(url, "commands", silenceTimeoutMs);
  const reader = openConnection(url, "reads", silenceTimeoutMs);
  const subscriber = openConnection(url, "subscriptions", silenceTimeoutMs);
  const clients = [commands, reader, subscriber];
  watch(clients, log);
  const outages = countOutages(clients);
  try {
    await Promise.all(clients.map((client) => untilReady(client, clock, startTimeoutMs)));
  } catch (cause) {
    for (const client of clients) client.disconnect();
    throw new AppError("unavailable", "REDIS_URL: no Redis answers there.", { cause });
  }
  // A subscriber only listens; asked for a sign of life it notices that nobody is left to listen to.
  const stopPings = clock.every(silenceTimeoutMs, () => {
    if (subscriber instanceof Redis && subscriber.status === "ready")
      subscriber.ping().catch(() => undefined);
  });
  const writes = new RedisWrites({ clock, log });
  const stopProbing = writes.startProbing(commands, prefix);
  return {
    channels: new RedisChannels({ commands, subscriber }, { prefix, log }),
    streams: writes.streams(
      new RedisStreams(
        { commands, reader },
        { prefix, maxBlockMs: silenceTimeoutMs, forgetConsumersAfterMs },
      ),
    ),
    keys: writes.keys(new RedisKeys(commands, { clock, prefix })),
    isReady: () => clients.every((client) => client.status === "ready") && !writes.isRefused,
    writableForMs: () => writes.acceptedForMs(),
    outages,
    close: async () => {
      stopPings();
      stopProbing();
      for (const client of clients) client.disconnect();
    },
  };
}

/** Tells once that Redis is away, whichever connection notices first, and once when all of them are back. */
function watch(clients: readonly RedisClient[], log: Logger): void {
  let isAway = false;
  for (const client of clients) {
    client.on("error", (error: unknown) => {
      if (!isAway)
        log.warn({ event: "redis_away", err: messageOf(error) }, "failed to reach Redis, reconnecting");
      isAway = true;
    });
    client.on("ready", () => {
      if (!isAway || clients.some(({ status }) => status !== "ready")) return;
      log.info({ event: "redis_back" }, "Redis is back");
      isAway = false;
    });
  }
}

/** Counts broken connections; of a cluster's, those to its nodes too, as it stays ready without one. */
function countOutages(clients: readonly RedisClient[]): () => number {
  let outages = 0;
  for (const client of clients) for (const event of ["close", "-node"]) client.on(event, () => outages++);
  return () => outages;
}

async function untilReady(client: RedisClient, clock: Clock, timeoutMs: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const cancel = clock.after(timeoutMs, () => reject(new Error("no answer")));
    connectNow(client).then(() => {
      cancel();
      resolve();
    }, reject);
  });
}
