import { Cluster, Redis } from "ioredis";
import { AppError } from "../errors.ts";
import { parseRedisUrl } from "./redis-url.ts";

/** A command that has no answer by then counts as failed; the caller decides what becomes of it. */
const COMMAND_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
const MIN_RETRY_DELAY_MS = 50;
const MAX_RETRY_DELAY_MS = 2_000;
/** How often a cluster's client asks who holds which slots, so that it finds back after an outage. */
const SLOTS_REFRESH_MS = 5_000;

export type RedisClient = Redis | Cluster;

/** What a connection is for: quick commands, waiting reads, or subscriptions. */
export type ConnectionRole = "commands" | "reads" | "subscriptions";

/**
 * Opens a connection that reconnects forever. Commands fail at once while it is away instead of piling
 * up. One that owes an answer and stays silent for `silenceTimeoutMs` (twice that when it waits for
 * entries) is given up: after a network split nothing else would tell that the other side is gone. Throws
 * `AppError` bad_request for a URL that is none of Redis'.
 */
export function openConnection(url: string, role: ConnectionRole, silenceTimeoutMs: number): RedisClient {
  const target = parseRedisUrl(url);
  if (!target) throw new AppError("bad_request", "REDIS_URL names no Redis.");
  const options = {
    lazyConnect: true,
    // RESP3 answers reads of streams as maps; one form of answer is enough.
    protocol: 2 as const,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: role === "reads" ? 2 * silenceTimeoutMs : silenceTimeoutMs,
    retryStrategy: retryDelayMs,
    // A waiting read has no answer for as long as it waits.
    ...(role === "commands" ? { commandTimeout: COMMAND_TIMEOUT_MS } : {}),
  };
  if (target.kind === "single") return new Redis(target.url, options);
  const { hosts, auth, masterName } = target;
  if (target.kind === "sentinel") {
    return new Redis({
      ...options,
      ...auth,
      sentinels: [...hosts],
      name: masterName,
      sentinelRetryStrategy: retryDelayMs,
    });
  }
  const { retryStrategy: _, enableOfflineQueue: __, ...nodeOptions } = options;
  const cluster = new Cluster([...hosts], {
    lazyConnect: true,
    enableOfflineQueue: false,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    clusterRetryStrategy: retryDelayMs,
    redisOptions: { ...nodeOptions, ...auth },
  });
  // Otherwise a node is connected by its first command, and those that follow meanwhile take a detour through
  // other nodes and overtake each other.
  cluster.on("+node", (node: Redis) => {
    if (node.status === "wait") node.connect().catch(() => undefined);
  });
  return cluster;
}

/** Resolves when commands can be sent wherever they have to go. */
export async function connectNow(client: RedisClient): Promise<void> {
  const ready = new Promise<void>((resolve) => client.once("ready", resolve));
  client.connect().catch(() => undefined);
  await ready;
  if (client instanceof Cluster) await Promise.all(client.nodes("master").map((node) => node.ping()));
}

function retryDelayMs(attempt: number): number {
  return Math.min(MAX_RETRY_DELAY_MS, MIN_RETRY_DELAY_MS * 2 ** Math.min(attempt, 6));
}
