import { Cluster } from "ioredis";
import { messageOf } from "../errors.ts";
import type { StoredEntry, StreamEntry, StreamReader, Streams } from "./bus.ts";
import { firstLanes, laneOf, MAX_LANES } from "./lanes.ts";
import type { RedisClient } from "./redis-connections.ts";
import { consumersWithPending, forgetConsumers } from "./redis-consumers.ts";
import type { RedisReaders } from "./redis-readers.ts";
import { readGroups, trimAcknowledged } from "./redis-trim.ts";

const FIELD = "e";
/** Entries a process acknowledges in a stream before it trims read entries and removes dead consumers. */
const TIDY_EVERY = 256;

type RawEntry = [entryId: string, fields: string[] | null];

/** Redis Streams with consumer groups; entries that every group has acknowledged are trimmed now and then. */
export class RedisStreams implements Streams {
  readonly #commands: RedisClient;
  readonly #readers: RedisReaders;
  readonly #prefix: string;
  readonly #lanes: number;
  readonly #maxBlockMs: number;
  readonly #forgetAfterMs: number;
  readonly #groups = new Set<string>();
  /** Entries acknowledged by this process since it last tidied their stream. */
  readonly #untidy = new Map<string, number>();

  constructor(
    clients: { commands: RedisClient; readers: RedisReaders },
    options: { prefix: string; lanes: number; maxBlockMs: number; forgetConsumersAfterMs: number },
  ) {
    this.#commands = clients.commands;
    this.#readers = clients.readers;
    this.#prefix = options.prefix;
    this.#lanes = options.lanes;
    this.#maxBlockMs = options.maxBlockMs;
    this.#forgetAfterMs = options.forgetConsumersAfterMs;
  }

  async append(stream: string, payload: string, key?: string): Promise<void> {
    await this.#commands.xadd(this.#prefix + laneOf(stream, key, this.#lanes), "*", FIELD, payload);
  }

  async lanesOf(stream: string): Promise<readonly string[]> {
    const others = firstLanes(stream, MAX_LANES).slice(this.#lanes);
    const exist = await Promise.all(others.map((lane) => this.#commands.exists(this.#prefix + lane)));
    return [...firstLanes(stream, this.#lanes), ...others.filter((_, index) => exist[index] === 1)];
  }

  async read(stream: string, reader: StreamReader): Promise<StreamEntry[]> {
    const key = this.#prefix + stream;
    try {
      await this.#ensureGroup(key, reader.group);
      const abandoned = await this.#claim(key, reader);
      return abandoned.length > 0 ? abandoned : await this.#readNew(key, reader);
    } catch (error) {
      // Redis lost its data: the group has to be created again.
      if (messageOf(error).includes("NOGROUP")) this.#groups.delete(`${key} ${reader.group}`);
      throw error;
    }
  }

  async ack(stream: string, group: string, entryIds: readonly string[]): Promise<void> {
    if (entryIds.length === 0) return;
    const key = this.#prefix + stream;
    await this.#commands.xack(key, group, ...entryIds);
    // Tidies on the first ack, too: a process that restarts often must not leave more and more behind.
    const untidy = (this.#untidy.get(key) ?? TIDY_EVERY) + entryIds.length;
    this.#untidy.set(key, untidy);
    if (untidy < TIDY_EVERY) return;
    await trimAcknowledged(this.#commands, key);
    await forgetConsumers(this.#commands, { key, group, idleMs: this.#forgetAfterMs });
    this.#untidy.set(key, 0);
  }

  async backlog(stream: string, group: string): Promise<number> {
    const key = this.#prefix + stream;
    await this.#ensureGroup(key, group);
    const found = (await readGroups(this.#commands, key)).find(({ name }) => name === group);
    if (!found) return 0;
    // Redis before 7 cannot tell a group's lag; the whole stream is the upper bound.
    return found.lag === undefined ? this.#commands.xlen(key) : found.pending + found.lag;
  }

  async isEarlierHeld(
    stream: string,
    { group, consumer }: Pick<StreamReader, "group" | "consumer">,
    entryId: string,
  ): Promise<boolean> {
    const key = this.#prefix + stream;
    for (const name of await consumersWithPending(this.#commands, key, group)) {
      if (name === consumer) continue;
      const earlier = await this.#commands.xpending(key, group, "-", `(${entryId}`, 1, name);
      if (earlier.length > 0) return true;
    }
    return false;
  }

  async list(
    stream: string,
    { count, after }: { count: number; after?: string | undefined },
  ): Promise<StoredEntry[]> {
    const from = after === undefined ? "-" : `(${after}`;
    const entries = await this.#commands.xrange(this.#prefix + stream, from, "+", "COUNT", count);
    return entries.flatMap(([entryId, fields]) => toEntry(entryId, fields, 0));
  }

  async remove(stream: string, entryIds: readonly string[]): Promise<void> {
    if (entryIds.length > 0) await this.#commands.xdel(this.#prefix + stream, ...entryIds);
  }

  async keepNewest(stream: string, count: number): Promise<number> {
    return this.#commands.xtrim(this.#prefix + stream, "MAXLEN", count);
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

  async #claim(key: string, { group, consumer, count, claimAfterMs }: StreamReader): Promise<StreamEntry[]> {
    const limit = ["COUNT", count] as const;
    const answer = await this.#commands.xautoclaim(key, group, consumer, claimAfterMs, "0-0", ...limit);
    const [, claimed] = answer as [string, RawEntry[]];
    return claimed.flatMap(([entryId, fields]) => toEntry(entryId, fields, 1));
  }

  async #readNew(key: string, { signal, ...reader }: StreamReader): Promise<StreamEntry[]> {
    const { group, consumer, count } = reader;
    const blockMs = signal?.aborted ? 0 : reader.blockMs;
    const from = ["GROUP", group, consumer, "COUNT", String(count)];
    const wait = blockMs > 0 ? ["BLOCK", String(Math.ceil(Math.min(blockMs, this.#maxBlockMs)))] : [];
    const commands = this.#commands;
    const waiting = blockMs > 0 ? await this.#readers.of(key) : commands;
    const stopListening = blockMs > 0 && signal ? unblockOn(signal, { waiting, commands }) : undefined;
    const reading = waiting.call("XREADGROUP", ...from, ...wait, "STREAMS", key, ">");
    const answer = (await reading.finally(stopListening)) as [string, RawEntry[]][] | null;
    return (answer?.[0]?.[1] ?? []).flatMap(([entryId, fields]) => toEntry(entryId, fields, 0));
  }
}

/**
 * Makes Redis end the next blocking read on `waiting` when `signal` aborts; entries handed out at that moment are
 * still read (https://redis.io/docs/latest/commands/client-unblock). On a cluster, and where the command is
 * forbidden, the wait runs out.
 */
function unblockOn(
  signal: AbortSignal,
  { waiting, commands }: Record<"waiting" | "commands", RedisClient>,
): () => void {
  if (waiting instanceof Cluster || commands instanceof Cluster) return () => undefined;
  const id = waiting.client("ID").catch(() => undefined);
  let isOver = false;
  const unblock = async (): Promise<void> => {
    const clientId = await id;
    // The read may not block yet (0): the two connections may be served in either order.
    while (clientId !== undefined && !isOver) if ((await commands.client("UNBLOCK", clientId)) === 1) return;
  };
  const onAbort = (): void => void unblock().catch(() => undefined);
  signal.addEventListener("abort", onAbort);
  return () => {
    isOver = true;
    signal.removeEventListener("abort", onAbort);
  };
}

function toEntry(entryId: string, fields: string[] | null, deliveries: number): StreamEntry[] {
  const payload = fields?.[1];
  return payload === undefined ? [] : [{ entryId, payload, deliveries }];
}
