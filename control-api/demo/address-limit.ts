import type { Clock } from "@parley/shared/clock.ts";

const WINDOW_MS = 60_000;
const MAX_PER_WINDOW = 20;
const MAX_ADDRESSES = 10_000;

/** Rate limit per address and minute, for a bounded number of addresses. */
export class AddressLimit {
  readonly #clock: Clock;
  readonly #windows = new Map<string, { startedMs: number; count: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined when the request may go on, else the seconds to wait. */
  take(address: string): number | undefined {
    const nowMs = this.#clock.monotonicMs();
    const window = this.#windows.get(address);
    if (!window || nowMs - window.startedMs >= WINDOW_MS) {
      this.#windows.delete(address);
      const oldest = this.#windows.keys().next().value;
      if (this.#windows.size >= MAX_ADDRESSES && oldest !== undefined) this.#windows.delete(oldest);
      this.#windows.set(address, { startedMs: nowMs, count: 1 });
      return undefined;
    }
    window.count += 1;
    if (window.count <= MAX_PER_WINDOW) return undefined;
    return Math.ceil((window.startedMs + WINDOW_MS - nowMs) / 1000);
  }
}
