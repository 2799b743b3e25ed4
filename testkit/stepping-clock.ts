import { type Clock, systemClock } from "@parley/shared/clock.ts";

/** The machine's time, whose wall clock can be stepped as NTP or an operator would, and which can pass at once. */
export class SteppingClock implements Clock {
  #offsetMs = 0;
  #passedMs = 0;

  step(byMs: number): void {
    this.#offsetMs += byMs;
  }

  /** Both clocks go on by so much; timers are not hurried. */
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
