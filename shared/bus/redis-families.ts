import { Cluster } from "ioredis";
import type { Clock } from "../clock.ts";
import type { RedisClient } from "./redis-connections.ts";

const SCAN_COUNT = 500;
/** For so long a list that was read is good enough. */
const FRESH_MS = 1_000;
/**
 * How often all processes together walk through the keys for what a version wrote that kept no index: once a minute, or
 * this often while nothing is listed at all.
 */
const WALK_EVERY_MS = 60_000;
const WALK_WHEN_EMPTY_MS = 3_000;

export type KeyValues = ReadonlyMap<string, string>;

/**
 * Families of keys with an index each, a set of their names, so that listing one takes as many commands as it has
 * members, whatever else is in Redis. Names are with the installation's prefix.
 */
export class RedisFamilies {
  readonly #commands: RedisClient;
  readonly #clock: Clock;
  readonly #prefix: string;
  readonly #lists = new Map<string, { readonly values: Promise<KeyValues>; readonly sinceMs: number }>();

  constructor(commands: RedisClient, { clock, prefix }: { clock: Clock; prefix: string }) {
    this.#commands = commands;
    this.#clock = clock;
    this.#prefix = prefix;
  }

  /** The key was written. */
  async add(family: string, key: string): Promise<void> {
    this.#lists.delete(family);
    await this.#commands.sadd(this.#indexOf(family), key);
  }

  async remove(family: string, key: string): Promise<void> {
    this.#lists.delete(family);
    await this.#commands.srem(this.#indexOf(family), key);
  }

  /** Live keys with their values, at most a second old; at once as new as can be when this process wrote one, or there is none. */
  list(family: string): Promise<KeyValues> {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#lists.get(family);
    if (known && nowMs - known.sinceMs < FRESH_MS) return known.values;
    const values = this.#read(family);
    this.#lists.set(family, { values, sinceMs: nowMs });
    const forget = (): void => {
      if (this.#lists.get(family)?.values === values) this.#lists.delete(family);
    };
    values.then(({ size }) => size === 0 && forget(), forget);
    return values;
  }

  async #read(family: string): Promise<KeyValues> {
    await this.#walkIfDue(family, { key: "walked", everyMs: WALK_EVERY_MS });
    const found = await this.#readIndex(family);
    if (found.size > 0) return found;
    const hasWalked = await this.#walkIfDue(family, { key: "walked-empty", everyMs: WALK_WHEN_EMPTY_MS });
    return hasWalked ? this.#readIndex(family) : found;
  }

  async #readIndex(family: string): Promise<KeyValues> {
    const index = this.#indexOf(family);
    const names = await this.#commands.smembers(index);
    const found = await valuesOf(names, this.#commands);
    const gone = names.filter((name) => !found.has(name));
    // One that is written again at this moment is back in the index with its next heartbeat.
    if (gone.length > 0) this.#commands.srem(index, ...gone).catch(() => undefined);
    return found;
  }

  /** Puts into the index what a version has written that kept none. */
  async #walkIfDue(family: string, { key, everyMs }: { key: string; everyMs: number }): Promise<boolean> {
    try {
      const lease = await this.#commands.set(`${this.#prefix}${key}:${family}`, "1", "PX", everyMs, "NX");
      if (lease !== "OK") return false;
      const found = await keysWith(this.#prefix + family, this.#commands);
      if (found.length > 0) await this.#commands.sadd(this.#indexOf(family), ...found);
      return found.length > 0;
    } catch {
      // A Redis that takes no writes: what the index has is still there.
      return false;
    }
  }

  #indexOf(family: string): string {
    return `${this.#prefix}index:${family}`;
  }
}

/** The values of those keys that still live. */
export async function valuesOf(keys: readonly string[], commands: RedisClient): Promise<KeyValues> {
  const values = await Promise.all(keys.map((key) => commands.get(key)));
  const found = new Map<string, string>();
  for (const [index, key] of keys.entries()) {
    const value = values[index];
    if (typeof value === "string") found.set(key, value);
  }
  return found;
}

/** Walks through all keys there are. */
export async function keysWith(prefix: string, commands: RedisClient): Promise<readonly string[]> {
  const pattern = `${prefix.replace(/[\\*?[\]]/g, "\\$&")}*`;
  const nodes = commands instanceof Cluster ? commands.nodes("master") : [commands];
  const keys = new Set<string>();
  for (const node of nodes) {
    let cursor = "0";
    do {
      const [next, page] = await node.scan(cursor, "MATCH", pattern, "COUNT", SCAN_COUNT);
      for (const key of page) keys.add(key);
      cursor = next;
    } while (cursor !== "0");
  }
  return [...keys];
}
