import type { Channels, Unsubscribe } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../database/open.ts";
import { DUE_CHANNEL } from "./deliverer.ts";
import { findOwed } from "./listener-store.ts";

/** Retries become due without an announcement. */
const POLL_MS = 1_000;
/** Limits on waiting requests, per process and per listener. */
const MAX_WAITING = 512;
const MAX_PER_LISTENER = 4;
const RETRY_AFTER_SECS = 2;

export interface ListenerWaitsDeps {
  readonly database: Database;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A request that waits for due deliveries of its listener. */
export interface Wait {
  /** True if something may be due since the last call; false after `ms`, or when `signal` or the server ends. */
  next(ms: number, signal: AbortSignal): Promise<boolean>;
  end(): void;
}

/**
 * Requests of this process that wait for listeners. However many wait and however much is raised, one query at a time
 * finds which listeners have due deliveries.
 */
export class ListenerWaits {
  readonly #deps: ListenerWaitsDeps;
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();
  readonly #stopPolling: () => void;
  readonly #stopListening: Promise<Unsubscribe | undefined>;
  #count = 0;
  #looking: Promise<void> | undefined;
  #isWanted = false;

  constructor(deps: ListenerWaitsDeps) {
    this.#deps = deps;
    this.#stopPolling = deps.clock.every(POLL_MS, () => this.#look());
    // Without the bus, the poll finds due deliveries.
    this.#stopListening = deps.channels.subscribe(DUE_CHANNEL, () => this.#look()).catch(() => undefined);
  }

  get isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Throws `AppError` too_many_requests. */
  begin(listenerId: string): Wait {
    const ofListener = this.#waiting.get(listenerId) ?? new Set();
    if (this.#count >= MAX_WAITING || ofListener.size >= MAX_PER_LISTENER) {
      const message =
        "Too many requests are waiting for this listener or this server. Try again in a moment.";
      throw new AppError("too_many_requests", message, { retryAfterSecs: RETRY_AFTER_SECS });
    }
    let isOwed = false;
    let wake: () => void = () => undefined;
    const notify = (): void => {
      isOwed = true;
      wake();
    };
    this.#waiting.set(listenerId, ofListener.add(notify));
    this.#count += 1;
    return {
      next: async (ms, signal) => {
        const either = AbortSignal.any([signal, this.#closing.signal]);
        if (!isOwed && !either.aborted && ms > 0) {
          await new Promise<void>((resolve) => {
            const cancel = this.#deps.clock.after(ms, resolve);
            wake = () => {
              cancel();
              resolve();
            };
            either.addEventListener("abort", wake, { once: true });
          });
        }
        const wasOwed = isOwed && !either.aborted;
        isOwed = false;
        return wasOwed;
      },
      end: () => {
        this.#count -= 1;
        ofListener.delete(notify);
        if (ofListener.size === 0) this.#waiting.delete(listenerId);
      },
    };
  }

  /** Makes all local waiters of a listener look again. */
  wake(listenerId: string): void {
    for (const notify of this.#waiting.get(listenerId) ?? []) notify();
  }

  /** Releases all waiters empty-handed. */
  async stop(): Promise<void> {
    this.#closing.abort();
    this.#stopPolling();
    await (await this.#stopListening)?.().catch(() => undefined);
    await this.#looking;
  }

  #look(): void {
    if (this.#waiting.size === 0 || this.isClosing) return;
    this.#isWanted = true;
    this.#looking ??= this.#lookWhileWanted().finally(() => {
      this.#looking = undefined;
    });
  }

  async #lookWhileWanted(): Promise<void> {
    const { database, clock, log } = this.#deps;
    while (this.#isWanted) {
      this.#isWanted = false;
      try {
        const owed = await findOwed(database, [...this.#waiting.keys()], new Date(clock.wallMs()));
        for (const id of owed) this.wake(id);
      } catch (error) {
        log.warn(
          { event: "listener_backlog_unknown", err: messageOf(error) },
          "failed to read what is due to listeners",
        );
      }
    }
  }
}
