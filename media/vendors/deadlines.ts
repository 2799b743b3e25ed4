import type { Clock } from "@parley/shared/clock.ts";

/** How long a speech vendor may take, all in ms. */
export interface VendorDeadlines {
  /** Until the connection is there. */
  readonly connectMs: number;
  /** From the request to the first byte of what was asked for; the connection's time is part of it. */
  readonly firstByteMs: number;
  /** Between two pieces of it. */
  readonly idleMs: number;
}

/** Longer than any healthy vendor needs, short enough that a caller still waits. */
export const DEFAULT_DEADLINES: VendorDeadlines = { connectMs: 3_000, firstByteMs: 5_000, idleMs: 4_000 };

/** One deadline at a time, set again as things go on. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #onExpired: (afterMs: number) => void;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, onExpired: (afterMs: number) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  /** Forgets the deadline before; calls back unless the next one, or `stop`, comes within `ms`. */
  expectWithin(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(ms, () => this.#onExpired(ms));
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
