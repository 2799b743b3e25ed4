import type { Clock } from "../clock.ts";
import type { Bus, Channels, Keys, StreamEntry, Streams, Unsubscribe } from "./bus.ts";

/** The bus of a single process: what Redis does between processes, within one. Keeps nothing on disk. */
export function createMemoryBus(deps: { clock: Clock }): Bus {
  const streams = new MemoryStreams(deps.clock);
  let isOpen = true;
  return {
    channels: new MemoryChannels(),
    streams,
    keys: new MemoryKeys(deps.clock),
    isReady: () => isOpen,
    close: async () => {
      isOpen = false;
      streams.close();
    },
  };
}

class MemoryChannels implements Channels {
  readonly #subscribers = new Map<string, Set<(payload: string) => void>>();

  async publish(channel: string, payload: string): Promise<void> {
    for (const deliver of this.#subscribers.get(channel) ?? []) queueMicrotask(() => deliver(payload));
  }

  async subscribe(channel: string, onMessage: (payload: string) => void): Promise<Unsubscribe> {
    const subscribers = this.#subscribers.get(channel) ?? new Set();
    this.#subscribers.set(channel, subscribers);
    let isSubscribed = true;
    const deliver = (payload: string): void => {
      if (isSubscribed) onMessage(payload);
    };
    subscribers.add(deliver);
    return async () => {
      isSubscribed = false;
      subscribers.delete(deliver);
      if (subscribers.size === 0) this.#subscribers.delete(channel);
    };
  }

  hasNoSubscriber(channel: string): boolean {
    return !this.#subscribers.has(channel);
  }
}

interface HeldEntry {
  readonly entryId: string;
  readonly payload: string;
  readonly order: number;
  deliveries: number;
  takenAtMs: number;
}

interface Group {
  /** Order of the next entry nobody of the group has taken. */
  next: number;
  readonly held: Map<string, HeldEntry>;
}

class MemoryStreams implements Streams {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { entryId: string; payload: string }[]>();
  /** How many entries were trimmed from a stream's front. */
  readonly #trimmed = new Map<string, number>();
  readonly #groups = new Map<string, Map<string, Group>>();
  readonly #waiters = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async append(stream: string, payload: string): Promise<void> {
    const entries = this.#entries.get(stream) ?? [];
    this.#entries.set(stream, entries);
    const order = (this.#trimmed.get(stream) ?? 0) + entries.length;
    entries.push({ entryId: String(order), payload });
    this.#wake();
  }

  async read(
    stream: string,
    reader: { group: string; consumer: string; count: number; blockMs: number; claimAfterMs: number },
  ): Promise<StreamEntry[]> {
    const group = this.#groupOf(stream, reader.group);
    const taken = this.#take(stream, group, reader);
    if (taken.length > 0 || reader.blockMs <= 0) return taken;
    await this.#somethingAppended(reader.blockMs);
    return this.#take(stream, group, reader);
  }

  async ack(stream: string, group: string, entryIds: readonly string[]): Promise<void> {
    const { held } = this.#groupOf(stream, group);
    for (const entryId of entryIds) held.delete(entryId);
    this.#trim(stream);
  }

  async backlog(stream: string, group: string): Promise<number> {
    const { next, held } = this.#groupOf(stream, group);
    const end = (this.#trimmed.get(stream) ?? 0) + (this.#entries.get(stream)?.length ?? 0);
    return end - next + held.size;
  }

  close(): void {
    this.#wake();
  }

  #take(stream: string, group: Group, reader: { count: number; claimAfterMs: number }): StreamEntry[] {
    const nowMs = this.#clock.monotonicMs();
    const abandoned = [...group.held.values()]
      .filter((entry) => nowMs - entry.takenAtMs >= reader.claimAfterMs)
      .slice(0, reader.count);
    const fresh = this.#takeNew(stream, group, reader.count - abandoned.length);
    return [...abandoned, ...fresh].map((entry) => {
      const given = { entryId: entry.entryId, payload: entry.payload, deliveries: entry.deliveries };
      entry.deliveries += 1;
      entry.takenAtMs = nowMs;
      return given;
    });
  }

  #takeNew(stream: string, group: Group, count: number): HeldEntry[] {
    const trimmed = this.#trimmed.get(stream) ?? 0;
    const from = Math.max(0, group.next - trimmed);
    const entries = (this.#entries.get(stream) ?? []).slice(from, from + count);
    return entries.map((entry) => {
      const held = { ...entry, order: group.next, deliveries: 0, takenAtMs: 0 };
      group.next += 1;
      group.held.set(entry.entryId, held);
      return held;
    });
  }

  #groupOf(stream: string, name: string): Group {
    const groups = this.#groups.get(stream) ?? new Map<string, Group>();
    this.#groups.set(stream, groups);
    const group = groups.get(name) ?? { next: this.#trimmed.get(stream) ?? 0, held: new Map() };
    groups.set(name, group);
    return group;
  }

  /** Forgets what every group has acknowledged. */
  #trim(stream: string): void {
    const entries = this.#entries.get(stream);
    const groups = [...(this.#groups.get(stream)?.values() ?? [])];
    if (!entries || groups.length === 0) return;
    const needed = groups.map((group) =>
      Math.min(group.next, ...[...group.held.values()].map((entry) => entry.order)),
    );
    const trimmed = this.#trimmed.get(stream) ?? 0;
    const keepFrom = Math.min(...needed);
    entries.splice(0, keepFrom - trimmed);
    this.#trimmed.set(stream, Math.max(trimmed, keepFrom));
  }

  async #somethingAppended(withinMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        cancel();
        this.#waiters.delete(done);
        resolve();
      };
      const cancel = this.#clock.after(withinMs, done);
      this.#waiters.add(done);
    });
  }

  #wake(): void {
    for (const wake of [...this.#waiters]) wake();
  }
}

class MemoryKeys implements Keys {
  readonly #clock: Clock;
  readonly #values = new Map<string, { value: string; expiresAtMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async get(key: string): Promise<string | undefined> {
    return this.#live(key);
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    this.#dropExpired();
    this.#values.set(key, { value, expiresAtMs: this.#clock.monotonicMs() + ttlMs });
  }

  async setIfAbsent(key: string, value: string, ttlMs: number): Promise<boolean> {
    if (this.#live(key) !== undefined) return false;
    await this.set(key, value, ttlMs);
    return true;
  }

  async take(key: string): Promise<string | undefined> {
    const value = this.#live(key);
    this.#values.delete(key);
    return value;
  }

  async delete(key: string): Promise<void> {
    this.#values.delete(key);
  }

  async list(prefix: string): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const key of this.#values.keys()) {
      const value = key.startsWith(prefix) ? this.#live(key) : undefined;
      if (value !== undefined) found.set(key, value);
    }
    return found;
  }

  #live(key: string): string | undefined {
    const entry = this.#values.get(key);
    if (!entry) return undefined;
    if (entry.expiresAtMs > this.#clock.monotonicMs()) return entry.value;
    this.#values.delete(key);
    return undefined;
  }

  #dropExpired(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [key, entry] of this.#values) {
      if (entry.expiresAtMs > nowMs) break;
      this.#values.delete(key);
    }
  }
}
