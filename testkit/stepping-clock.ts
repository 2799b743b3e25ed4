import { type Clock, systemClock } from "@parley/shared/clock.ts";

/** The machine's clock, whose wall time can be stepped as by NTP or an operator, and which can jump ahead. */
export class SteppingClock implements Clock {
  #offsetMs = 0;
  #passedMs = 0;

  step(byMs: number): void {
    this.#offsetMs += byMs;
  }

  /** Advances both clocks; timers do not fire early. */
  pass(byMs: number): void {
    this.#offsetMs += byMs;
    this.#passedMs += byMs;
  }

  wallMs(): number {
    return systemClock.wallMs() + this.#offsetMs;
  }

  monotonicMs(): number {
    return systemClock.monotonicMs() + this.#passedMs;
  }

  after(delayMs: number, fn: () => void): () => void {
    return systemClock.after(delayMs, fn);
  }

  every(intervalMs: number, fn: () => void): () => void {
    return systemClock.every(intervalMs, fn);
  }
}
