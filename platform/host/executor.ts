import type { Method } from "../methods/define.ts";
import type { BridgeError } from "../wire/errors.ts";

/** A frame's call, checked to be well formed and within its bounds. */
export interface HostCall {
  readonly method: Method;
  /** By name, as the method's schemas parsed them. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Set for a method that takes a file. */
  readonly bytes: ArrayBuffer | undefined;
  /** Aborted when the caller no longer waits, or when the subscription is over. */
  readonly signal: AbortSignal;
  /** Delivers one event of a streaming method. */
  readonly onEvent: (event: unknown) => void;
  /** Subscriptions only: events may have been missed. */
  readonly onResync: () => void;
  /** Subscriptions only: the active subscription ended on its own. */
  readonly onEnd: (error: BridgeError) => void;
}

/** Carries calls out. A subscription resolves once active. Rejects with `BridgeError`. */
export type Executor = (call: HostCall) => Promise<unknown>;
