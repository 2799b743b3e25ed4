import type { Clock } from "../clock.ts";
import type { Keys } from "./bus.ts";
import { familyOf, isListedFamily } from "./listed-families.ts";

/** Number of keys below which nothing is swept. */
const MIN_SWEEP_SIZE = 256;

/** Values with a lifetime, within a process. */
export class MemoryKeys implements Keys {
  readonly #clock: Clock;
  readonly #values = new Map<string, { value: string; expiresAtMs: number }>();
  /** The keys of each listed family. */
  readonly #families = new Map<string, Set<string>>();
  #sweepAtSize = MIN_SWEEP_SIZE;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Keys in memory, including expired ones not swept yet. */
  get size(): number {
    return this.#values.size;
  }

  async get(key: string): Promise<string | undefined> {
    return this.#live(key);
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    this.#values.set(key, { value, expiresAtMs: this.#clock.monotonicMs() + ttlMs });
    const family = familyOf(key);
    if (family !== undefined) this.#families.set(family, (this.#families.get(family) ?? new Set()).add(key));
    if (this.#values.size >= this.#sweepAtSize) this.#sweep();
  }

  async setIfAbsent(key: string, value: string, ttlMs: number): Promise<boolean> {
    if (this.#live(key) !== undefined) return false;
    await this.set(key, value, ttlMs);
    return true;
  }

  async take(key: string): Promise<string | undefined> {
    const value = this.#live(key);
    this.#forget(key);
    return value;
  }

  async delete(key: string): Promise<void> {
    this.#forget(key);
  }

  async list(prefix: string): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const keys = isListedFamily(prefix) ? (this.#families.get(prefix) ?? []) : this.#values.keys();
    for (const key of [...keys]) {
      const value = key.startsWith(prefix) ? this.#live(key) : undefined;
      if (value !== undefined) found.set(key, value);
    }
    return found;
  }

  #live(key: string): string | undefined {
    const entry = this.#values.get(key);
    if (!entry) return undefined;
    if (entry.expiresAtMs > this.#clock.monotonicMs()) return entry.value;
    this.#forget(key);
    return undefined;
  }

  #forget(key: string): void {
    this.#values.delete(key);
    const family = familyOf(key);
    if (family !== undefined) this.#families.get(family)?.delete(key);
  }

  /** Removes expired keys that nobody asks for again; runs each time the number of keys has doubled. */
  #sweep(): void {
    for (const key of this.#values.keys()) this.#live(key);
    this.#sweepAtSize = Math.max(MIN_SWEEP_SIZE, 2 * this.#values.size);
  }
}
