/**
 * The bus carries everything that processes tell each other. Both implementations (in-process, Redis) pass the suite
 * in `bus.contract.ts`. Payloads are JSON text; callers parse them with a contract's schema.
 */
export interface Bus {
  readonly channels: Channels;
  readonly streams: Streams;
  readonly keys: Keys;
  /** True while the other side is reachable and accepts writes. */
  isReady(): boolean;
  /**
   * How long the other side has accepted writes without a break, as far as this process knows; 0 while it does not. A
   * key that was not renewed may be missing only because its writer could not write.
   */
  writableForMs(): number;
  /** Number of times a connection has broken; messages published meanwhile may not have arrived. */
  outages(): number;
  /** Resolves when subscriptions are gone and connections closed. */
  close(): Promise<void>;
}

export type Unsubscribe = () => Promise<void>;

/** At-most-once fan-out: a process that is not listening misses the message. */
export interface Channels {
  /** Sends `payload` to every subscriber of `channel` on any process. Rejects when the bus is unavailable. */
  publish(channel: string, payload: string): Promise<void>;
  /**
   * Resolves once the subscription is in force, so that anything published afterward is seen. An error thrown by
   * `onMessage` is logged and affects nobody else.
   */
  subscribe(channel: string, onMessage: (payload: string) => void): Promise<Unsubscribe>;
  /** True when this process knows that nobody listens; false means "maybe someone does". */
  hasNoSubscriber(channel: string): boolean;
}

export interface StoredEntry {
  /** Position in the stream; opaque, passed back to `ack`. */
  readonly entryId: string;
  readonly payload: string;
}

export interface StreamEntry extends StoredEntry {
  /** Number of earlier deliveries of the entry. */
  readonly deliveries: number;
}

/** The reader of a stream, and how much it reads at once. */
export interface StreamReader {
  readonly group: string;
  readonly consumer: string;
  readonly count: number;
  readonly blockMs: number;
  readonly claimAfterMs: number;
  /** Ends the wait early; loses no entries. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * At-least-once: every group gets every entry, and an entry stays until a consumer of each group has acknowledged it.
 */
export interface Streams {
  /**
   * Appends; resolves once the stream has stored the entry. Rejects when the bus is unavailable (the caller spills). A
   * stream may be split into lanes, each a stream to read by its own name: entries of one `key` share a lane and keep
   * their order, and those without a key are in the first lane.
   */
  append(stream: string, payload: string, key?: string): Promise<void>;
  /**
   * The lanes of a stream, the first of which has its name: those this process writes to, and others in which another
   * process, configured otherwise, has left something.
   */
  lanesOf(stream: string): Promise<readonly string[]>;
  /**
   * Takes up to `count` entries that no other consumer holds: first entries left unacknowledged by another consumer
   * for `claimAfterMs`, then new ones, waiting up to `blockMs` for one. Creates the group at the stream's start on
   * first use.
   */
  read(stream: string, reader: StreamReader): Promise<StreamEntry[]>;
  ack(stream: string, group: string, entryIds: readonly string[]): Promise<void>;
  /** Number of the group's entries not yet acknowledged, new ones included. */
  backlog(stream: string, group: string): Promise<number>;
  /** Whether another consumer of the group holds an earlier entry that it has not acknowledged. */
  isEarlierHeld(
    stream: string,
    reader: Pick<StreamReader, "group" | "consumer">,
    entryId: string,
  ): Promise<boolean>;
  /** Lists up to `count` entries in order, only those after `after`, whoever has read them. Takes none of them. */
  list(
    stream: string,
    options: { readonly count: number; readonly after?: string | undefined },
  ): Promise<StoredEntry[]>;
  /** Removes entries from the stream for good. Only for a stream that no group reads. */
  remove(stream: string, entryIds: readonly string[]): Promise<void>;
  /**
   * Removes the oldest entries until `count` are left; returns how many were removed. Only for a stream that no group
   * reads.
   */
  keepNewest(stream: string, count: number): Promise<number>;
}

/** Small shared values with a lifetime: call plans, node registrations, leases. */
export interface Keys {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /** Sets the key only if it is absent; returns false when another holder has it. */
  setIfAbsent(key: string, value: string, ttlMs: number): Promise<boolean>;
  /** Reads and deletes atomically: of many racing callers exactly one gets the value. */
  take(key: string): Promise<string | undefined>;
  delete(key: string): Promise<void>;
  /**
   * Lists every live key that starts with `prefix`, with its value. The families of `listed-families.ts` have an
   * index; any other prefix walks all keys. A list may be a second old.
   */
  list(prefix: string): Promise<ReadonlyMap<string, string>>;
}
