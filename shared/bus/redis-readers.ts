import type { RedisClient } from "./redis-connections.ts";

/**
 * Connections for blocking reads. A read that waits holds its connection, so each stream that is waited for has its
 * own; the first one takes the connection that the bus opened at its start.
 */
export class RedisReaders {
  readonly #open: () => Promise<RedisClient>;
  readonly #byKey = new Map<string, Promise<RedisClient>>();

  constructor(first: RedisClient, open: () => Promise<RedisClient>) {
    let isFirstTaken = false;
    this.#open = () => {
      if (isFirstTaken) return open();
      isFirstTaken = true;
      return Promise.resolve(first);
    };
  }

  /** Rejects when no connection can be made; the next call tries again. */
  of(key: string): Promise<RedisClient> {
    const known = this.#byKey.get(key);
    if (known) return known;
    const opened = this.#open();
    this.#byKey.set(key, opened);
    opened.catch(() => this.#byKey.delete(key));
    return opened;
  }
}
