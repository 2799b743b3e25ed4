import { Cluster } from "ioredis";
import type { Keys } from "./bus.ts";
import type { RedisClient } from "./redis-connections.ts";

const SCAN_COUNT = 500;

/** Values with a lifetime. Every command touches one key, so a cluster serves them too. */
export class RedisKeys implements Keys {
  readonly #commands: RedisClient;
  readonly #prefix: string;

  constructor(commands: RedisClient, prefix: string) {
    this.#commands = commands;
    this.#prefix = prefix;
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.#commands.get(this.#prefix + key)) ?? undefined;
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    await this.#commands.set(this.#prefix + key, value, "PX", Math.ceil(ttlMs));
  }

  async setIfAbsent(key: string, value: string, ttlMs: number): Promise<boolean> {
    const answer = await this.#commands.set(this.#prefix + key, value, "PX", Math.ceil(ttlMs), "NX");
    return answer === "OK";
  }

  async take(key: string): Promise<string | undefined> {
    return (await this.#commands.getdel(this.#prefix + key)) ?? undefined;
  }

  async delete(key: string): Promise<void> {
    await this.#commands.del(this.#prefix + key);
  }

  async list(prefix: string): Promise<ReadonlyMap<string, string>> {
    const keys = [...(await this.#keysWith(this.#prefix + prefix))];
    const values = await Promise.all(keys.map((key) => this.#commands.get(key)));
    const found = new Map<string, string>();
    for (const [index, key] of keys.entries()) {
      const value = values[index];
      if (typeof value === "string") found.set(key.slice(this.#prefix.length), value);
    }
    return found;
  }

  async #keysWith(prefix: string): Promise<Set<string>> {
    const pattern = `${prefix.replace(/[\\*?[\]]/g, "\\$&")}*`;
    const nodes = this.#commands instanceof Cluster ? this.#commands.nodes("master") : [this.#commands];
    const keys = new Set<string>();
    for (const node of nodes) {
      let cursor = "0";
      do {
        const [next, page] = await node.scan(cursor, "MATCH", pattern, "COUNT", SCAN_COUNT);
        for (const key of page) keys.add(key);
        cursor = next;
      } while (cursor !== "0");
    }
    return keys;
  }
}
