import type { Clock } from "../clock.ts";
import type { Keys } from "./bus.ts";
import { familyOf, isListedFamily } from "./listed-families.ts";
import type { RedisClient } from "./redis-connections.ts";
import { keysWith, RedisFamilies, valuesOf } from "./redis-families.ts";

/** Values with a lifetime. Every command touches one key, so a cluster works, too. */
export class RedisKeys implements Keys {
  readonly #commands: RedisClient;
  readonly #prefix: string;

  readonly #families: RedisFamilies;

  constructor(commands: RedisClient, { clock, prefix }: { clock: Clock; prefix: string }) {
    this.#commands = commands;
    this.#prefix = prefix;
    this.#families = new RedisFamilies(commands, { clock, prefix });
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.#commands.get(this.#prefix + key)) ?? undefined;
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    await this.#commands.set(this.#prefix + key, value, "PX", Math.ceil(ttlMs));
    const family = familyOf(key);
    if (family !== undefined) await this.#families.add(family, this.#prefix + key, { value, ttlMs });
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
    const family = familyOf(key);
    if (family !== undefined) await this.#families.remove(family, this.#prefix + key);
  }

  async list(prefix: string): Promise<ReadonlyMap<string, string>> {
    const found = isListedFamily(prefix)
      ? await this.#families.list(prefix)
      : await valuesOf(await keysWith(this.#prefix + prefix, this.#commands), this.#commands);
    return new Map([...found].map(([key, value]) => [key.slice(this.#prefix.length), value]));
  }
}
