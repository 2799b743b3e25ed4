import { messageOf } from "../errors.ts";
import type { StreamEntry, Streams } from "./bus.ts";
import type { RedisClient } from "./redis-connections.ts";

const FIELD = "e";

type RawEntry = [entryId: string, fields: string[] | null];

/**
 * Redis Streams with consumer groups. An acknowledged entry is deleted: there is one group a stream, and
 * what it has recorded need not be kept.
 */
export class RedisStreams implements Streams {
  readonly #commands: RedisClient;
  readonly #reader: RedisClient;
  readonly #prefix: string;
  readonly #groups = new Set<string>();

  constructor(clients: { commands: RedisClient; reader: RedisClient }, prefix: string) {
    this.#commands = clients.commands;
    this.#reader = clients.reader;
    this.#prefix = prefix;
  }

  async append(stream: string, payload: string): Promise<void> {
    await this.#commands.xadd(this.#prefix + stream, "*", FIELD, payload);
  }

  async read(
    stream: string,
    reader: { group: string; consumer: string; count: number; blockMs: number; claimAfterMs: number },
  ): Promise<StreamEntry[]> {
    const key = this.#prefix + stream;
    try {
      await this.#ensureGroup(key, reader.group);
      const abandoned = await this.#claim(key, reader);
      return abandoned.length > 0 ? abandoned : await this.#readNew(key, reader);
    } catch (error) {
      // Redis came back empty: the group has to be made again.
      if (messageOf(error).includes("NOGROUP")) this.#groups.delete(`${key} ${reader.group}`);
      throw error;
    }
  }

  async ack(stream: string, group: string, entryIds: readonly string[]): Promise<void> {
    if (entryIds.length === 0) return;
    const key = this.#prefix + stream;
    await this.#commands.xack(key, group, ...entryIds);
    await this.#commands.xdel(key, ...entryIds);
  }

  async backlog(stream: string, group: string): Promise<number> {
    const key = this.#prefix + stream;
    await this.#ensureGroup(key, group);
    // Acknowledged entries are deleted, so what is there is what is not done.
    return this.#commands.xlen(key);
  }

  async #ensureGroup(key: string, group: string): Promise<void> {
    const known = `${key} ${group}`;
    if (this.#groups.has(known)) return;
    try {
      await this.#commands.xgroup("CREATE", key, group, "0", "MKSTREAM");
    } catch (error) {
      if (!messageOf(error).includes("BUSYGROUP")) throw error;
    }
    this.#groups.add(known);
  }

  async #claim(
    key: string,
    {
      group,
      consumer,
      count,
      claimAfterMs,
    }: { group: string; consumer: string; count: number; claimAfterMs: number },
  ): Promise<StreamEntry[]> {
    const [, claimed] = (await this.#commands.xautoclaim(
      key,
      group,
      consumer,
      claimAfterMs,
      "0-0",
      "COUNT",
      count,
    )) as [string, RawEntry[]];
    const entries = claimed.flatMap(([entryId, fields]) => toEntry(entryId, fields, 1));
    return entries;
  }

  async #readNew(
    key: string,
    { group, consumer, count, blockMs }: { group: string; consumer: string; count: number; blockMs: number },
  ): Promise<StreamEntry[]> {
    const from = ["GROUP", group, consumer, "COUNT", String(count)];
    const wait = blockMs > 0 ? ["BLOCK", String(blockMs)] : [];
    const client = blockMs > 0 ? this.#reader : this.#commands;
    const answer = (await client.call("XREADGROUP", ...from, ...wait, "STREAMS", key, ">")) as
      | [string, RawEntry[]][]
      | null;
    return (answer?.[0]?.[1] ?? []).flatMap(([entryId, fields]) => toEntry(entryId, fields, 0));
  }
}

function toEntry(entryId: string, fields: string[] | null, deliveries: number): StreamEntry[] {
  const payload = fields?.[1];
  return payload === undefined ? [] : [{ entryId, payload, deliveries }];
}
