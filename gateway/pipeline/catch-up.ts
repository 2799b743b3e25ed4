/** Callers do not notice a smaller lag. */
const LEAST_LAG_MS = 60;

/**
 * Decides how long a stream without pauses must rest for an app that a stall held up to catch up. The app's constant
 * delay, from its line and its buffers, does not count as lag.
 */
export class CatchUp {
  #usualMs: number | undefined;
  #dueMs = 0;
  #hasRested = false;
  #restsUntilMs = 0;

  /** The app's mark shows that it plays `behindMs` late. */
  onBehind(behindMs: number): void {
    const usualMs = Math.min(behindMs, this.#usualMs ?? behindMs);
    const lagMs = behindMs - usualMs;
    const isLag = lagMs >= LEAST_LAG_MS;
    // A rest that did not help: half of the lag counts as the line's own delay from here on.
    this.#usualMs = isLag && this.#hasRested ? usualMs + lagMs / 2 : usualMs;
    this.#dueMs = isLag ? behindMs - this.#usualMs : 0;
    this.#hasRested = false;
  }

  /** The app has discarded its buffer. */
  reset(): void {
    this.#dueMs = 0;
    this.#restsUntilMs = 0;
  }

  /** True while nothing should be sent in a pause; asked in each pause. */
  isResting(nowMs: number): boolean {
    if (this.#dueMs > 0) {
      this.#restsUntilMs = nowMs + this.#dueMs;
      this.#dueMs = 0;
      this.#hasRested = true;
    }
    return nowMs < this.#restsUntilMs;
  }
}
