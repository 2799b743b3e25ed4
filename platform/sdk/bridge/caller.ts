/** What is asked for: an operation by its name, arguments by theirs. */
export interface Call {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly bytes?: ArrayBuffer;
  /** Of the answer. */
  readonly timeoutMs: number;
  /** Calls of this operation that the host allows at once; more wait. */
  readonly atOnce: number;
}

/** Who carries operations out. */
export interface Caller {
  /** Settles always; rejects with `PlatformError`. */
  call(call: Call, on?: AnswerEvents): Promise<unknown>;
  /** Resolves, once it listens, to what ends it. Rejects with `PlatformError`. */
  subscribe(call: Call, on: SubscriptionEvents): Promise<() => void>;
}

/** Of an answer that streams. */
export interface AnswerEvents {
  /** What comes before the result, such as tokens. */
  readonly onEvent: (event: unknown) => void;
  /** Aborted: the call is canceled. */
  readonly signal?: AbortSignal | undefined;
}

export interface SubscriptionEvents {
  readonly onEvent: (event: unknown) => void;
  /** Something may have been missed, or it ended: what is shown is to be read again. */
  readonly onResync?: (() => void) | undefined;
}
