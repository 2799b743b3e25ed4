import type { Method } from "../methods/define.ts";
import type { BridgeError } from "../wire/errors.ts";

/** A call of a frame that was found to be well formed and within its bounds. */
export interface HostCall {
  readonly method: Method;
  /** By name, as the method's schemas gave them. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Of a method that takes a file. */
  readonly bytes: ArrayBuffer | undefined;
  /** Nobody waits any more; of a subscription: it is over. */
  readonly signal: AbortSignal;
  /** One event of a method that streams. */
  readonly onEvent: (event: unknown) => void;
  /** Of a subscription: events may have been missed. */
  readonly onResync: () => void;
  /** Of a subscription in force: it ended by itself. */
  readonly onEnd: (error: BridgeError) => void;
}

/** Carries calls out. Of a subscription it resolves when that is in force. Rejects with `BridgeError`. */
export type Executor = (call: HostCall) => Promise<unknown>;
