/** Where a load test's calls go. */
export interface LoadTarget {
  /** In words, for the report. */
  readonly name: string;
  /** The gateway's HTTP address, for its metrics. */
  readonly gatewayUrl: string;
  /** A session that a caller can call; gives its socket's address. */
  newCall(): Promise<string>;
  /** Waits for the record of every call made and counts it; undefined where only the database knows. */
  countEvents?(calls: number): Promise<EventCount>;
  /** CPU the callers should keep to. */
  readonly callersCpu: number | undefined;
  close(): Promise<void>;
}

/** What the durable record says of the calls made. */
export interface EventCount {
  readonly started: number;
  readonly ended: number;
  /** Calls that have not exactly one of each. */
  readonly wrong: number;
}
