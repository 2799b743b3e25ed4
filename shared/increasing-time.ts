import { toTimestamp } from "./clock.ts";

/**
 * The times of one session's events, strictly increasing even within a millisecond or while the clock is set back.
 * Receivers use them to tell events apart and put them in order.
 */
export class IncreasingTime {
  #lastMs: number;

  /** `lastMs`: the last time issued before, possibly by another process. */
  constructor(lastMs = Number.NEGATIVE_INFINITY) {
    this.#lastMs = lastMs;
  }

  /** Returns `wallMs`, or the millisecond after the previous time if that is later. */
  next(wallMs: number): string {
    this.#lastMs = Math.max(Math.trunc(wallMs), this.#lastMs + 1);
    return toTimestamp(this.#lastMs);
  }
}
