import { Cluster, Redis } from "ioredis";

/** A command that has no answer by then counts as failed; the caller decides what becomes of it. */
const COMMAND_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_RETRY_DELAY_MS = 2_000;

export type RedisClient = Redis | Cluster;

/** What a connection is for: quick commands, waiting reads, or subscriptions. */
export type ConnectionRole = "commands" | "reads" | "subscriptions";

/**
 * Opens a connection that reconnects for ever. Commands fail at once while it is away instead of piling
 * up. `redis+cluster://h1:p,h2:p` and `redis+sentinel://h1:p,h2:p/master` name several hosts.
 */
export function openConnection(url: string, role: ConnectionRole): RedisClient {
  const options = {
    lazyConnect: true,
    // RESP3 answers reads of streams as maps; one form of answer is enough.
    protocol: 2 as const,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: (attempt: number) => Math.min(MAX_RETRY_DELAY_MS, 50 * 2 ** Math.min(attempt, 6)),
    // A waiting read has no answer for as long as it waits.
    ...(role === "commands" ? { commandTimeout: COMMAND_TIMEOUT_MS } : {}),
  };
  const several = /^redis\+(cluster|sentinel):\/\/(?:([^@/]*)@)?([^/]+)(?:\/(.+))?$/.exec(url);
  if (!several) return new Redis(url, options);
  const [, kind, credentials = "", hosts = "", name = "mymaster"] = several;
  const [username = "", password = ""] = credentials.split(":").map(decodeURIComponent);
  const auth = { ...(username === "" ? {} : { username }), ...(password === "" ? {} : { password }) };
  const nodes = hosts.split(",").map(toHost);
  if (kind === "sentinel") return new Redis({ ...options, ...auth, sentinels: nodes, name });
  return new Cluster(nodes, {
    lazyConnect: true,
    enableOfflineQueue: false,
    redisOptions: { ...options, ...auth },
  });
}

function toHost(text: string): { host: string; port: number } {
  const [host = "127.0.0.1", port = "6379"] = text.split(":");
  return { host, port: Number(port) };
}
