/** A call: the operation's name and its arguments by name. */
export interface Call {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly bytes?: ArrayBuffer;
  /** Timeout for the answer. */
  readonly timeoutMs: number;
  /** Calls of this operation the host allows at once; further ones queue. */
  readonly atOnce: number;
}

/** Carries operations out. */
export interface Caller {
  /** Always settles; rejects with `PlatformError`. */
  call(call: Call, on?: AnswerEvents): Promise<unknown>;
  /** Resolves, once subscribed, to a function that ends the subscription. Rejects with `PlatformError`. */
  subscribe(call: Call, on: SubscriptionEvents): Promise<() => void>;
}

/** Callbacks of a streaming answer. */
export interface AnswerEvents {
  /** Receives what precedes the result, such as tokens. */
  readonly onEvent: (event: unknown) => void;
  /** Aborting cancels the call. */
  readonly signal?: AbortSignal | undefined;
}

export interface SubscriptionEvents {
  readonly onEvent: (event: unknown) => void;
  /** Events may have been missed, or the subscription ended: read again. */
  readonly onResync?: (() => void) | undefined;
}
