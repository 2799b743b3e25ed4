import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { StoredEntry, StreamEntry, StreamReader, Streams } from "./bus.ts";
import { firstLanes, laneOf } from "./lanes.ts";

/** Maximum unacknowledged entries; beyond it, appends are refused and the writer keeps its own. */
export const MAX_STREAM_ENTRIES = 200_000;

interface HeldEntry {
  readonly entryId: string;
  readonly payload: string;
  readonly order: number;
  consumer: string;
  deliveries: number;
  takenAtMs: number;
}

interface Group {
  /** Order of the next entry that no consumer of the group has taken. */
  next: number;
  readonly held: Map<string, HeldEntry>;
}

interface Stream {
  /** Entries that some group still needs; index 0 has order `trimmed`. A removed entry is undefined. */
  readonly payloads: (string | undefined)[];
  trimmed: number;
  readonly groups: Map<string, Group>;
  readonly waiters: Set<() => void>;
}

/** Durable streams like those of Redis, except that they end with the process. */
export class MemoryStreams implements Streams {
  readonly #clock: Clock;
  readonly #streams = new Map<string, Stream>();
  readonly #lanes: number;
  #isOpen = true;

  constructor(clock: Clock, lanes = 1) {
    this.#clock = clock;
    this.#lanes = lanes;
  }

  async append(name: string, payload: string, key?: string): Promise<void> {
    const stream = this.#streamOf(laneOf(name, key, this.#lanes));
    if (!this.#isOpen) throw new AppError("unavailable", "The bus is closed.");
    if (stream.payloads.length >= MAX_STREAM_ENTRIES) {
      throw new AppError("unavailable", `The stream holds ${MAX_STREAM_ENTRIES} entries nobody has read.`);
    }
    stream.payloads.push(payload);
    for (const wake of [...stream.waiters]) wake();
  }

  async lanesOf(name: string): Promise<readonly string[]> {
    return firstLanes(name, this.#lanes);
  }

  async read(name: string, reader: StreamReader): Promise<StreamEntry[]> {
    const stream = this.#streamOf(name);
    const group = groupOf(stream, reader.group);
    const taken = this.#take(stream, group, reader);
    if (taken.length > 0 || reader.blockMs <= 0 || reader.signal?.aborted || !this.#isOpen) return taken;
    await this.#somethingAppended(stream, reader);
    return this.#isOpen ? this.#take(stream, group, reader) : [];
  }

  async ack(name: string, group: string, entryIds: readonly string[]): Promise<void> {
    const stream = this.#streamOf(name);
    const { held } = groupOf(stream, group);
    for (const entryId of entryIds) held.delete(entryId);
    trim(stream);
  }

  async backlog(name: string, group: string): Promise<number> {
    const stream = this.#streamOf(name);
    const { next, held } = groupOf(stream, group);
    return stream.trimmed + stream.payloads.length - next + held.size;
  }

  async isEarlierHeld(
    name: string,
    { group, consumer }: Pick<StreamReader, "group" | "consumer">,
    entryId: string,
  ): Promise<boolean> {
    const { held } = groupOf(this.#streamOf(name), group);
    return [...held.values()].some((one) => one.consumer !== consumer && one.order < Number(entryId));
  }

  async list(
    name: string,
    { count, after }: { count: number; after?: string | undefined },
  ): Promise<StoredEntry[]> {
    const { payloads, trimmed } = this.#streamOf(name);
    const from = after === undefined ? 0 : Math.max(0, Number(after) + 1 - trimmed);
    const entries: StoredEntry[] = [];
    for (let at = from; at < payloads.length && entries.length < count; at++) {
      const payload = payloads[at];
      if (payload !== undefined) entries.push({ entryId: String(trimmed + at), payload });
    }
    return entries;
  }

  async remove(name: string, entryIds: readonly string[]): Promise<void> {
    const stream = this.#streamOf(name);
    for (const entryId of entryIds) {
      const at = Number(entryId) - stream.trimmed;
      if (at in stream.payloads) stream.payloads[at] = undefined;
    }
    while (stream.payloads.length > 0 && stream.payloads[0] === undefined) {
      stream.payloads.shift();
      stream.trimmed += 1;
    }
  }

  async keepNewest(name: string, count: number): Promise<number> {
    const held = await this.list(name, { count: MAX_STREAM_ENTRIES });
    const gone = held.slice(0, Math.max(0, held.length - count)).map(({ entryId }) => entryId);
    await this.remove(name, gone);
    return gone.length;
  }

  /** Wakes waiting readers and refuses further appends. */
  close(): void {
    this.#isOpen = false;
    for (const { waiters } of this.#streams.values()) for (const wake of [...waiters]) wake();
  }

  #streamOf(name: string): Stream {
    const known = this.#streams.get(name);
    if (known) return known;
    const stream: Stream = { payloads: [], trimmed: 0, groups: new Map(), waiters: new Set() };
    this.#streams.set(name, stream);
    return stream;
  }

  #take(stream: Stream, group: Group, reader: StreamReader): StreamEntry[] {
    const nowMs = this.#clock.monotonicMs();
    const abandoned = [...group.held.values()]
      .filter((entry) => nowMs - entry.takenAtMs >= reader.claimAfterMs)
      .slice(0, reader.count);
    const fresh = takeNew(stream, group, reader.count - abandoned.length);
    return [...abandoned, ...fresh].map((entry) => {
      const given = { entryId: entry.entryId, payload: entry.payload, deliveries: entry.deliveries };
      entry.deliveries += 1;
      entry.consumer = reader.consumer;
      entry.takenAtMs = nowMs;
      return given;
    });
  }

  /** Resolves on an append, or when the reader's wait runs out. */
  async #somethingAppended(stream: Stream, { blockMs, signal }: StreamReader): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        cancel();
        stream.waiters.delete(done);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const cancel = this.#clock.after(blockMs, done);
      stream.waiters.add(done);
      signal?.addEventListener("abort", done);
    });
  }
}

function groupOf(stream: Stream, name: string): Group {
  const known = stream.groups.get(name);
  if (known) return known;
  const group: Group = { next: stream.trimmed, held: new Map() };
  stream.groups.set(name, group);
  return group;
}

function takeNew(stream: Stream, group: Group, count: number): HeldEntry[] {
  const from = group.next - stream.trimmed;
  return stream.payloads.slice(from, from + count).flatMap((payload) => {
    const order = group.next;
    group.next += 1;
    if (payload === undefined) return [];
    const held = { entryId: String(order), payload, order, consumer: "", deliveries: 0, takenAtMs: 0 };
    group.held.set(held.entryId, held);
    return [held];
  });
}

/** Drops the entries that every group has acknowledged. */
function trim(stream: Stream): void {
  let keepFrom = Number.POSITIVE_INFINITY;
  for (const { next, held } of stream.groups.values()) {
    // Entries are held in the order in which they were appended.
    const [oldest] = held.values();
    keepFrom = Math.min(keepFrom, oldest?.order ?? next);
  }
  stream.payloads.splice(0, keepFrom - stream.trimmed);
  stream.trimmed = keepFrom;
}
