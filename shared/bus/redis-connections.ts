import { Cluster, Redis } from "ioredis";
import { AppError } from "../errors.ts";
import { parseRedisUrl, type RedisHost } from "./redis-url.ts";

/** A command without a reply by then counts as failed; the caller decides what becomes of it. */
const COMMAND_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
const MIN_RETRY_DELAY_MS = 50;
const MAX_RETRY_DELAY_MS = 2_000;
/** How often a cluster's client refreshes its slot map, so that it recovers after an outage. */
const SLOTS_REFRESH_MS = 5_000;

export type RedisClient = Redis | Cluster;

/** The purpose of a connection: quick commands, blocking reads, or subscriptions. */
export type ConnectionRole = "commands" | "reads" | "subscriptions";

/**
 * Opens a connection that reconnects forever. Commands fail immediately while the connection is down instead of
 * piling up. A connection that owes a reply and stays silent for `silenceTimeoutMs` (twice that for a blocking read)
 * is closed: after a network split nothing else would reveal that the other side is gone. Throws `AppError`
 * bad_request for a URL that is not a Redis URL.
 */
export function openConnection(url: string, role: ConnectionRole, silenceTimeoutMs: number): RedisClient {
  const target = parseRedisUrl(url);
  if (!target) throw new AppError("bad_request", "REDIS_URL names no Redis.");
  const options = {
    lazyConnect: true,
    // RESP3 returns stream reads as maps; supporting one reply format is enough.
    protocol: 2 as const,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: role === "reads" ? 2 * silenceTimeoutMs : silenceTimeoutMs,
    retryStrategy: retryDelayMs,
    // A blocking read gets no reply for as long as it waits.
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
    // Subscriptions live on the master of their channel's slot (docs/decisions/events.md).
    shardedSubscribers: role === "subscriptions",
    clusterRetryStrategy: retryDelayMs,
    redisOptions: { ...nodeOptions, ...auth },
  });
  // Without this, a node is connected by its first command; commands sent meanwhile detour through other nodes and
  // overtake each other. A read waits at one node only.
  if (role !== "reads")
    cluster.on("+node", (node: Redis) => {
      if (node.status === "wait") node.connect().catch(() => undefined);
    });
  return cluster;
}

/** A connection to a sentinel, which reconnects forever; `connect` begins it. */
export function openSentinel({ host, port }: RedisHost, silenceTimeoutMs: number): Redis {
  return new Redis({
    host,
    port,
    lazyConnect: true,
    protocol: 2,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: silenceTimeoutMs,
    retryStrategy: retryDelayMs,
  });
}

/** Resolves once commands can be sent to every node they may need. */
export async function connectNow(client: RedisClient): Promise<void> {
  const ready = new Promise<void>((resolve) => client.once("ready", resolve));
  client.connect().catch(() => undefined);
  await ready;
  if (!(client instanceof Cluster)) return;
  const needed = client.nodes("master").filter(({ status }) => status !== "wait");
  await Promise.all(needed.map((node) => node.ping()));
}

function retryDelayMs(attempt: number): number {
  return Math.min(MAX_RETRY_DELAY_MS, MIN_RETRY_DELAY_MS * 2 ** Math.min(attempt, 6));
}
