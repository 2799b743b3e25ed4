import type { Clock } from "@parley/shared/clock.ts";

/** How long a speech vendor may take, all in ms. */
export interface VendorDeadlines {
  /** Time to establish the connection. */
  readonly connectMs: number;
  /** Time from the request to the first byte of the result, including the connection. */
  readonly firstByteMs: number;
  /** Time between two pieces of the result. */
  readonly idleMs: number;
}

/** Longer than any healthy vendor needs, but short enough that a caller still waits. */
export const DEFAULT_DEADLINES: VendorDeadlines = { connectMs: 3_000, firstByteMs: 5_000, idleMs: 4_000 };

/** For whole recordings of some minutes, which nobody waits for on the line. */
export const FILE_DEADLINES: VendorDeadlines = { ...DEFAULT_DEADLINES, firstByteMs: 60_000, idleMs: 20_000 };

/** One deadline at a time, renewed as work progresses. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #onExpired: (afterMs: number) => void;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, onExpired: (afterMs: number) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  /** Replaces the previous deadline; calls back unless a new one or `stop` comes within `ms`. */
  expectWithin(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(ms, () => this.#onExpired(ms));
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
