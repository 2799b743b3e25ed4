import { Cluster } from "ioredis";
import type { Clock } from "../clock.ts";
import type { RedisClient } from "./redis-connections.ts";

const SCAN_COUNT = 500;
/** How long a list stays fresh enough to reuse. */
const FRESH_MS = 1_000;
/** Lifetimes go by the clock of Redis: those of the processes differ. */
const NOW =
  "local t = redis.call('TIME'); local now = string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))";
const SET = `${NOW}; redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f ', now + ARGV[2]) .. ARGV[3])`;
const LIST = `${NOW}; return {now, redis.call('HGETALL', KEYS[1])}`;

export type KeyValues = ReadonlyMap<string, string>;

/**
 * Families of keys, each listed in a hash, so that listing a family takes one command, whatever else is in Redis. The
 * keys exist besides: those who know a name ask for it. Names include the installation's prefix.
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

  /** Lists a key that was written, for its lifetime. */
  async add(family: string, key: string, { value, ttlMs }: { value: string; ttlMs: number }): Promise<void> {
    this.#lists.delete(family);
    await this.#commands.eval(SET, 1, this.#hashOf(family), key, Math.ceil(ttlMs), value);
  }

  async remove(family: string, key: string): Promise<void> {
    this.#lists.delete(family);
    await this.#commands.hdel(this.#hashOf(family), key);
  }

  /**
   * Live keys with their values, at most a second old; read afresh when this process wrote a key of the family or the
   * list is empty.
   */
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
    const [listed, before] = await Promise.all([this.#readHash(family), this.#readIndexOfBefore(family)]);
    return new Map([...before, ...listed]);
  }

  async #readHash(family: string): Promise<KeyValues> {
    const hash = this.#hashOf(family);
    const [now, flat] = (await this.#commands.eval(LIST, 1, hash)) as [string, string[]];
    const found = new Map<string, string>();
    const gone: string[] = [];
    for (let i = 0; i + 1 < flat.length; i += 2) {
      const [name = "", entry = ""] = flat.slice(i, i + 2);
      const gap = entry.indexOf(" ");
      if (Number(entry.slice(0, gap)) > Number(now)) found.set(name, entry.slice(gap + 1));
      else gone.push(name);
    }
    // A key rewritten at this moment is listed again with its next heartbeat.
    if (gone.length > 0) this.#commands.hdel(hash, ...gone).catch(() => undefined);
    return found;
  }

  /** Keys of processes of the version before, which list the names in a set. */
  async #readIndexOfBefore(family: string): Promise<KeyValues> {
    const index = `${this.#prefix}index:${family}`;
    const names = await this.#commands.smembers(index);
    const found = await valuesOf(names, this.#commands);
    const gone = names.filter((name) => !found.has(name));
    if (gone.length > 0) this.#commands.srem(index, ...gone).catch(() => undefined);
    return found;
  }

  #hashOf(family: string): string {
    return `${this.#prefix}listed:${family}`;
  }
}

/** The values of those keys that are still live. */
export async function valuesOf(keys: readonly string[], commands: RedisClient): Promise<KeyValues> {
  const values = await Promise.all(keys.map((key) => commands.get(key)));
  const found = new Map<string, string>();
  for (const [index, key] of keys.entries()) {
    const value = values[index];
    if (typeof value === "string") found.set(key, value);
  }
  return found;
}

/** Walks all keys in Redis. */
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
