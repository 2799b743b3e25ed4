/** Where a load test's calls go. */
export interface LoadTarget {
  /** Name for the report. */
  readonly name: string;
  /** The gateway's HTTP address, for its metrics. */
  readonly gatewayUrl: string;
  /** Creates a session for a caller; returns its socket's address. */
  newCall(): Promise<string>;
  /** Waits for the records of all calls made and counts them; absent where only the database knows. */
  countEvents?(calls: number): Promise<EventCount>;
  /** The CPU the callers should keep to. */
  readonly callersCpu: number | undefined;
  close(): Promise<void>;
}

/** Counts from the calls' durable record. */
export interface EventCount {
  readonly started: number;
  readonly ended: number;
  /** Calls without exactly one of each. */
  readonly wrong: number;
}
