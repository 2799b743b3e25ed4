import { AppError, messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Bus } from "./bus.ts";
import { RedisChannels } from "./redis-channels.ts";
import { openConnection, type RedisClient } from "./redis-connections.ts";
import { RedisKeys } from "./redis-keys.ts";
import { RedisStreams } from "./redis-streams.ts";

export interface RedisBusOptions {
  readonly url: string;
  readonly log: Logger;
  /** In front of every key and channel, so that installations can share a Redis. */
  readonly keyPrefix?: string;
}

const DEFAULT_PREFIX = "parley:";
const START_TIMEOUT_MS = 10_000;

/** The bus between processes. Rejects when Redis cannot be reached at the start; later it reconnects. */
export async function connectRedisBus(options: RedisBusOptions): Promise<Bus> {
  const { url, log, keyPrefix = DEFAULT_PREFIX } = options;
  const commands = openConnection(url, "commands");
  const reader = openConnection(url, "reads");
  const subscriber = openConnection(url, "subscriptions");
  const clients = [commands, reader, subscriber];
  for (const client of clients) watch(client, log);
  try {
    await Promise.all(clients.map((client) => untilReady(client)));
  } catch (cause) {
    for (const client of clients) client.disconnect();
    throw new AppError("unavailable", "REDIS_URL: no Redis answers there.", { cause });
  }
  return {
    channels: new RedisChannels({ commands, subscriber }, keyPrefix),
    streams: new RedisStreams({ commands, reader }, keyPrefix),
    keys: new RedisKeys(commands, keyPrefix),
    isReady: () => clients.every((client) => client.status === "ready"),
    close: async () => {
      for (const client of clients) client.disconnect();
    },
  };
}

function watch(client: RedisClient, log: Logger): void {
  let isAway = false;
  client.on("error", (error: unknown) => {
    if (!isAway) log.warn({ err: messageOf(error) }, "Redis is away, reconnecting");
    isAway = true;
  });
  client.on("ready", () => {
    if (isAway) log.info({}, "Redis is back");
    isAway = false;
  });
}

async function untilReady(client: RedisClient): Promise<void> {
  client.connect().catch(() => undefined);
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no answer")), START_TIMEOUT_MS);
    client.once("ready", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
