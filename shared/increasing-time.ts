import { toTimestamp } from "./clock.ts";

/**
 * The times of one session's events: none is told twice, also of what happens within a millisecond or while the clock is
 * set back. Receivers tell events apart, and put them in order, by them.
 */
export class IncreasingTime {
  #lastMs: number;

  /** `lastMs`: what was told before, by another process maybe. */
  constructor(lastMs = Number.NEGATIVE_INFINITY) {
    this.#lastMs = lastMs;
  }

  /** `wallMs`, or the millisecond after the time before. */
  next(wallMs: number): string {
    this.#lastMs = Math.max(Math.trunc(wallMs), this.#lastMs + 1);
    return toTimestamp(this.#lastMs);
  }
}
