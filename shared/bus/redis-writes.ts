import type { Clock } from "../clock.ts";
import { AppError, messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Keys, Streams } from "./bus.ts";
import type { RedisClient } from "./redis-connections.ts";

/**
 * Errors of a Redis that answers reads but refuses writes: full under `noeviction`, unable to save, demoted to a
 * replica, short of replicas, or a replica that lost its master
 * (https://redis.io/docs/latest/develop/reference/error-codes).
 */
const REFUSALS = /^(OOM|MISCONF|READONLY|NOREPLICAS|MASTERDOWN) /;
/** Probing lets a process with nothing to write notice when refusals begin and end. */
const PROBE_EVERY_MS = 1_000;
const PROBE_TTL_MS = 10_000;
const RETRY_AFTER_SECS = 2;

/** Tracks whether Redis accepts writes, from this process's writes and its own probe each second. */
export class RedisWrites {
  readonly #clock: Clock;
  readonly #log: Logger;
  #acceptedSinceMs: number | undefined;
  #isRefused = false;

  constructor(deps: { clock: Clock; log: Logger }) {
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  /** True when a reachable Redis refused the last write. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** How long writes have been accepted without a break; 0 while they are not. */
  acceptedForMs(): number {
    return this.#acceptedSinceMs === undefined ? 0 : this.#clock.monotonicMs() - this.#acceptedSinceMs;
  }

  /** Writes a probe key each second; the returned function stops the probe. */
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

  /** Wraps keys so that a refused write throws `AppError` unavailable. */
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

  /** Wraps streams so that a refused write throws `AppError` unavailable. */
  streams(streams: Streams): Streams {
    return {
      append: (...args) => this.#storing(() => streams.append(...args)),
      lanesOf: (stream) => streams.lanesOf(stream),
      read: (...args) => this.#changing(() => streams.read(...args)),
      ack: (...args) => this.#changing(() => streams.ack(...args)),
      backlog: (...args) => streams.backlog(...args),
      isEarlierHeld: (...args) => streams.isEarlierHeld(...args),
      list: (...args) => streams.list(...args),
      remove: (...args) => this.#changing(() => streams.remove(...args)),
      keepNewest: (...args) => this.#changing(() => streams.keepNewest(...args)),
    };
  }

  /** A write that needs memory: if accepted, it shows that Redis accepts all writes. */
  async #storing<T>(write: () => Promise<T>): Promise<T> {
    const result = await this.#changing(write);
    this.#acceptedSinceMs ??= this.#clock.monotonicMs();
    if (this.#isRefused) this.#log.info({ event: "redis_writable" }, "Redis takes writes again");
    this.#isRefused = false;
    return result;
  }

  /** A write that even a full Redis accepts. */
  async #changing<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!isRefusal(error)) {
        // An error reply, such as a missing group, tells nothing; a lost connection does.
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

/** Whether an error is a reply from Redis rather than a lost connection. */
function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === "ReplyError";
}

function isRefusal(error: unknown): boolean {
  return isReply(error) && REFUSALS.test(error.message);
}
