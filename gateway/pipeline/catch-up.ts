/** A lag smaller than this is nothing that a caller notices. */
const LEAST_LAG_MS = 60;

/**
 * How long a stream without pauses has to rest, so that an app that was held up by a stall of its line catches up. What the app
 * is always behind, by its line and its buffers, is no lag.
 */
export class CatchUp {
  #usualMs: number | undefined;
  #dueMs = 0;
  #hasRested = false;
  #restsUntilMs = 0;

  /** An app's mark told that it plays `behindMs` after the time. */
  onBehind(behindMs: number): void {
    const usualMs = Math.min(behindMs, this.#usualMs ?? behindMs);
    const lagMs = behindMs - usualMs;
    const isLag = lagMs >= LEAST_LAG_MS;
    // A rest that did not help: half of it is taken for the line's own from here on.
    this.#usualMs = isLag && this.#hasRested ? usualMs + lagMs / 2 : usualMs;
    this.#dueMs = isLag ? behindMs - this.#usualMs : 0;
    this.#hasRested = false;
  }

  /** The app has thrown away what it had. */
  reset(): void {
    this.#dueMs = 0;
    this.#restsUntilMs = 0;
  }

  /** True while nothing is to be sent in a pause; asked in each. */
  isResting(nowMs: number): boolean {
    if (this.#dueMs > 0) {
      this.#restsUntilMs = nowMs + this.#dueMs;
      this.#dueMs = 0;
      this.#hasRested = true;
    }
    return nowMs < this.#restsUntilMs;
  }
}
