import type { Clock } from "../clock.ts";
import type { Keys } from "./bus.ts";

/** Keys up to which nothing is swept. */
const MIN_SWEEP_SIZE = 256;

/** Values with a lifetime, within a process. */
export class MemoryKeys implements Keys {
  readonly #clock: Clock;
  readonly #values = new Map<string, { value: string; expiresAtMs: number }>();
  #sweepAtSize = MIN_SWEEP_SIZE;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Keys in memory, those that are over and not swept yet among them. */
  get size(): number {
    return this.#values.size;
  }

  async get(key: string): Promise<string | undefined> {
    return this.#live(key);
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    this.#values.set(key, { value, expiresAtMs: this.#clock.monotonicMs() + ttlMs });
    if (this.#values.size >= this.#sweepAtSize) this.#sweep();
  }

  async setIfAbsent(key: string, value: string, ttlMs: number): Promise<boolean> {
    if (this.#live(key) !== undefined) return false;
    await this.set(key, value, ttlMs);
    return true;
  }

  async take(key: string): Promise<string | undefined> {
    const value = this.#live(key);
    this.#values.delete(key);
    return value;
  }

  async delete(key: string): Promise<void> {
    this.#values.delete(key);
  }

  async list(prefix: string): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const key of this.#values.keys()) {
      const value = key.startsWith(prefix) ? this.#live(key) : undefined;
      if (value !== undefined) found.set(key, value);
    }
    return found;
  }

  #live(key: string): string | undefined {
    const entry = this.#values.get(key);
    if (!entry) return undefined;
    if (entry.expiresAtMs > this.#clock.monotonicMs()) return entry.value;
    this.#values.delete(key);
    return undefined;
  }

  /** What nobody asks for again would stay for ever: swept each time the keys have doubled. */
  #sweep(): void {
    for (const key of this.#values.keys()) this.#live(key);
    this.#sweepAtSize = Math.max(MIN_SWEEP_SIZE, 2 * this.#values.size);
  }
}
