import { Cluster, type Redis } from "ioredis";
import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import { type ConnectionRole, connectNow, openConnection, type RedisClient } from "./redis-connections.ts";
import { MasterWatch } from "./redis-master-watch.ts";
import { SilenceWatch } from "./redis-silence.ts";
import { parseRedisUrl } from "./redis-url.ts";

/**
 * Time limit from a connection's being made to its being ready. What accepts it may not be Redis: a proxy of the
 * network does so while nothing behind it answers, and a registration must not run out meanwhile.
 */
const HANDSHAKE_TIMEOUT_MS = 3_000;

interface RedisClientsDeps {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** A connection that owes a reply for this long is reopened. */
  readonly silenceTimeoutMs: number;
}

/** The connections of one bus: logs once that Redis is away and once that it is back, and counts what breaks. */
export class RedisClients {
  readonly #deps: RedisClientsDeps;
  readonly #all = new Set<RedisClient>();
  readonly #silence: SilenceWatch;
  readonly #masters: MasterWatch | undefined;
  #isAway = false;
  #outages = 0;

  constructor(deps: RedisClientsDeps) {
    this.#deps = deps;
    this.#silence = new SilenceWatch(deps);
    const target = parseRedisUrl(deps.url);
    this.#masters = target?.kind === "sentinel" ? new MasterWatch(target, deps) : undefined;
  }

  /** Opens a connection that `untilReady` connects. Throws `AppError` bad_request for a URL that is none of Redis. */
  open(role: ConnectionRole): RedisClient {
    const { url, silenceTimeoutMs } = this.#deps;
    const client = openConnection(url, role, silenceTimeoutMs);
    this.#all.add(client);
    client.on("error", (error: unknown) => this.#failed(error));
    client.on("ready", () => this.#ready());
    // A cluster stays ready without one of its nodes.
    for (const event of ["close", "-node"]) client.on(event, () => this.#outages++);
    if (client instanceof Cluster) client.on("+node", (node: Redis) => this.#limitHandshake(node));
    else {
      this.#limitHandshake(client);
      this.#silence.add(client);
      this.#masters?.add(client, role);
    }
    return client;
  }

  /** Opens one more connection while the bus runs. Rejects, and closes it, when it is not ready in time. */
  async openReady(role: ConnectionRole, timeoutMs: number): Promise<RedisClient> {
    const client = this.open(role);
    try {
      await this.untilReady([client], timeoutMs);
      return client;
    } catch (error) {
      this.#all.delete(client);
      client.disconnect();
      throw error;
    }
  }

  /** Connects these; rejects when one is not ready in time. */
  async untilReady(clients: Iterable<RedisClient>, timeoutMs: number): Promise<void> {
    await Promise.all([...clients].map((client) => this.#connect(client, timeoutMs)));
  }

  areReady(): boolean {
    return [...this.#all].every(({ status }) => status === "ready");
  }

  /** Number of connections that have broken, those to a cluster's nodes included. */
  get outages(): number {
    return this.#outages;
  }

  close(): void {
    this.#masters?.close();
    for (const client of this.#all) client.disconnect();
  }

  async #connect(client: RedisClient, timeoutMs: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const cancel = this.#deps.clock.after(timeoutMs, () => reject(new Error("no answer")));
      connectNow(client).then(() => {
        cancel();
        resolve();
      }, reject);
    });
  }

  #limitHandshake(client: Redis): void {
    client.on("connect", () => {
      const cancel = this.#deps.clock.after(HANDSHAKE_TIMEOUT_MS, () => {
        if (client.status === "connect") client.disconnect(true);
      });
      for (const event of ["ready", "close"]) client.once(event, cancel);
    });
  }

  #failed(error: unknown): void {
    if (!this.#isAway)
      this.#deps.log.warn(
        { event: "redis_away", err: messageOf(error) },
        "failed to reach Redis, reconnecting",
      );
    this.#isAway = true;
  }

  #ready(): void {
    if (!this.#isAway || !this.areReady()) return;
    this.#deps.log.info({ event: "redis_back" }, "Redis is back");
    this.#isAway = false;
  }
}
