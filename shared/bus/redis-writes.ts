import type { Clock } from "../clock.ts";
import { AppError, messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Keys, Streams } from "./bus.ts";
import type { RedisClient } from "./redis-connections.ts";

/**
 * What a Redis says that answers reads and refuses writes: full under `noeviction`, unable to save, demoted to a
 * replica, short of replicas, a replica that has lost its master (https://redis.io/docs/latest/develop/reference/error-codes).
 */
const REFUSALS = /^(OOM|MISCONF|READONLY|NOREPLICAS|MASTERDOWN) /;
/** A process that has nothing to write has to learn of it, too, and that it is over. */
const PROBE_EVERY_MS = 1_000;
const PROBE_TTL_MS = 10_000;
const RETRY_AFTER_SECS = 2;

/** Knows whether Redis takes writes, by every write of this process and one of its own each second. */
export class RedisWrites {
  readonly #clock: Clock;
  readonly #log: Logger;
  #acceptedSinceMs: number | undefined;
  #isRefused = false;

  constructor(deps: { clock: Clock; log: Logger }) {
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  /** The last write was refused by a Redis that could be reached. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** How long writes have been taken without a break; 0 while they are not. */
  acceptedForMs(): number {
    return this.#acceptedSinceMs === undefined ? 0 : this.#clock.monotonicMs() - this.#acceptedSinceMs;
  }

  /** Writes a key of its own each second; the returned function ends that. */
  startProbing(commands: RedisClient, prefix: string): () => void {
    let isInFlight = false;
    const probe = async (): Promise<void> => {
      if (isInFlight) return;
      isInFlight = true;
      await this.#storing(() => commands.set(`${prefix}write-probe`, "1", "PX", PROBE_TTL_MS)).catch(
        () => undefined,
      );
      isInFlight = false;
    };
    void probe();
    return this.#clock.every(PROBE_EVERY_MS, () => void probe());
  }

  /** The same keys; what is refused is an `AppError` unavailable. */
  keys(keys: Keys): Keys {
    return {
      get: (key) => keys.get(key),
      list: (prefix) => keys.list(prefix),
      set: (...args) => this.#storing(() => keys.set(...args)),
      setIfAbsent: (...args) => this.#storing(() => keys.setIfAbsent(...args)),
      take: (key) => this.#changing(() => keys.take(key)),
      delete: (key) => this.#changing(() => keys.delete(key)),
    };
  }

  /** The same streams; what is refused is an `AppError` unavailable. */
  streams(streams: Streams): Streams {
    return {
      append: (...args) => this.#storing(() => streams.append(...args)),
      read: (...args) => this.#changing(() => streams.read(...args)),
      ack: (...args) => this.#changing(() => streams.ack(...args)),
      backlog: (...args) => streams.backlog(...args),
      isEarlierHeld: (...args) => streams.isEarlierHeld(...args),
      list: (...args) => streams.list(...args),
      remove: (...args) => this.#changing(() => streams.remove(...args)),
      keepNewest: (...args) => this.#changing(() => streams.keepNewest(...args)),
    };
  }

  /** A write that needs memory: taken, it shows that Redis takes them all. */
  async #storing<T>(write: () => Promise<T>): Promise<T> {
    const result = await this.#changing(write);
    this.#acceptedSinceMs ??= this.#clock.monotonicMs();
    if (this.#isRefused) this.#log.info({ event: "redis_writable" }, "Redis takes writes again");
    this.#isRefused = false;
    return result;
  }

  /** A write that a full Redis still takes. */
  async #changing<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!isRefusal(error)) {
        // A stream without its group, say, tells nothing; a connection that is away does.
        if (!isReply(error)) this.#acceptedSinceMs = undefined;
        throw error;
      }
      this.#acceptedSinceMs = undefined;
      if (!this.#isRefused)
        this.#log.error({ event: "redis_read_only", err: messageOf(error) }, "Redis refuses writes");
      this.#isRefused = true;
      throw new AppError("unavailable", "Redis takes no writes at the moment; try again shortly.", {
        cause: error,
        retryAfterSecs: RETRY_AFTER_SECS,
      });
    }
  }
}

/** What Redis itself has answered, rather than a connection that is away. */
function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === "ReplyError";
}

function isRefusal(error: unknown): boolean {
  return isReply(error) && REFUSALS.test(error.message);
}
