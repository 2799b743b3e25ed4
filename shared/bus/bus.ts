/**
 * The bus: everything processes tell each other. Two implementations (in-process, Redis) pass the one
 * suite in `bus.contract.ts`. Payloads are JSON text; callers parse them with a contract's schema.
 */
export interface Bus {
  readonly channels: Channels;
  readonly streams: Streams;
  readonly keys: Keys;
  /** True while the other side is reachable and takes what is written. */
  isReady(): boolean;
  /**
   * How long the other side has taken writes without a break, as far as this process knows; 0 while it does not. What
   * somebody has not renewed may be missing only because it could not be.
   */
  writableForMs(): number;
  /** How often a connection to it broke so far: what was published meanwhile may not have arrived. */
  outages(): number;
  /** Resolves when subscriptions are gone and connections closed. */
  close(): Promise<void>;
}

export type Unsubscribe = () => Promise<void>;

/** At-most-once fan-out: who is not listening misses it. */
export interface Channels {
  /** Sends `payload` to every subscriber of `channel` on any process. Rejects when the bus is away. */
  publish(channel: string, payload: string): Promise<void>;
  /**
   * Resolves once the subscription is in force, so that what is published next is seen. What `onMessage`
   * throws is logged and reaches nobody else.
   */
  subscribe(channel: string, onMessage: (payload: string) => void): Promise<Unsubscribe>;
  /** True when this process knows that nobody listens; false means "maybe somebody does". */
  hasNoSubscriber(channel: string): boolean;
}

export interface StoredEntry {
  /** Position in the stream; opaque, handed back to `ack`. */
  readonly entryId: string;
  readonly payload: string;
}

export interface StreamEntry extends StoredEntry {
  /** How often the entry was handed out before this time. */
  readonly deliveries: number;
}

/** Who reads a stream, and how much of it at once. */
export interface StreamReader {
  readonly group: string;
  readonly consumer: string;
  readonly count: number;
  readonly blockMs: number;
  readonly claimAfterMs: number;
  /** Ends the wait early, and takes nothing away from what would be read. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * At-least-once: every group gets every entry, and an entry stays until a consumer of each group has
 * acknowledged it.
 */
export interface Streams {
  /** Appends; resolves when the stream has it. Rejects when the bus is away (the caller spills). */
  append(stream: string, payload: string): Promise<void>;
  /**
   * Takes up to `count` entries nobody else holds: first those another consumer took and left
   * unacknowledged for `claimAfterMs`, then new ones, waiting up to `blockMs` for one. Creates the
   * group at the stream's start on first use.
   */
  read(stream: string, reader: StreamReader): Promise<StreamEntry[]>;
  ack(stream: string, group: string, entryIds: readonly string[]): Promise<void>;
  /** Entries of the group not acknowledged yet, new ones included. */
  backlog(stream: string, group: string): Promise<number>;
  /** Whether another consumer of the group has taken an entry before this one and not acknowledged it. */
  isEarlierHeld(
    stream: string,
    reader: Pick<StreamReader, "group" | "consumer">,
    entryId: string,
  ): Promise<boolean>;
  /** Up to `count` entries in their order, those behind `after` only, whoever has read them. Takes none of them. */
  list(
    stream: string,
    options: { readonly count: number; readonly after?: string | undefined },
  ): Promise<StoredEntry[]>;
  /** Takes entries out of the stream for good. Only of a stream that no group reads. */
  remove(stream: string, entryIds: readonly string[]): Promise<void>;
  /** Takes the oldest entries out until `count` are left; returns how many went. Only of a stream that no group reads. */
  keepNewest(stream: string, count: number): Promise<number>;
}

/** Small shared values with a lifetime: call plans, node registrations, leases. */
export interface Keys {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /** Sets only when absent; false when somebody else holds it. */
  setIfAbsent(key: string, value: string, ttlMs: number): Promise<boolean>;
  /** Reads and deletes in one step: of many racing callers exactly one gets the value. */
  take(key: string): Promise<string | undefined>;
  delete(key: string): Promise<void>;
  /**
   * Every live key that starts with `prefix`, with its value. The families of `listed-families.ts` have an index; for any
   * other prefix all keys are walked through. A list may be a second old.
   */
  list(prefix: string): Promise<ReadonlyMap<string, string>>;
}
