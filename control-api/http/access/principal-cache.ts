import type { Clock } from "@parley/shared/clock.ts";

/** How long an ended credential may keep working if the bus did not report its end. */
const TTL_MS = 1_000;
const MAX_ENTRIES = 10_000;

interface Entry<T> {
  readonly value: T;
  readonly validUntilMs: number;
}

/**
 * Briefly caches the principal of a credential; bounded, evicting the oldest. A lookup that started before a `forget`
 * is not cached after it, since it may have read what was to be forgotten.
 */
export class PrincipalCache<T> {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #entries = new Map<string, Entry<T>>();
  #forgotten = 0;

  constructor(clock: Clock, ttlMs = TTL_MS) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  /** Returns the cached value, or what `find` returns; undefined is not cached. */
  async get(key: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    const entry = this.#entries.get(key);
    if (entry && this.#clock.monotonicMs() < entry.validUntilMs) return entry.value;
    this.#entries.delete(key);
    const forgottenBefore = this.#forgotten;
    const value = await find();
    if (value !== undefined && this.#forgotten === forgottenBefore) this.#remember(key, value);
    return value;
  }

  forget(isMeant: (value: T) => boolean): void {
    this.#forgotten += 1;
    for (const [key, { value }] of this.#entries) if (isMeant(value)) this.#entries.delete(key);
  }

  #remember(key: string, value: T): void {
    const oldest = this.#entries.keys().next().value;
    if (this.#entries.size >= MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, { value, validUntilMs: this.#clock.monotonicMs() + this.#ttlMs });
  }
}
