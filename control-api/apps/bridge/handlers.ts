import type { MethodArgs, MethodName, MethodResult } from "@parley/platform/methods/table.ts";
import type { Client } from "../../http/plugins/client.ts";
import type { BridgeCaller } from "./caller.ts";

/** One call, as its handler sees it. */
export interface BridgeCall {
  readonly caller: BridgeCaller;
  /** The client that the host's request comes from. */
  readonly client: Client;
  /** Aborted at the deadline, or when the host disconnects. */
  readonly signal: AbortSignal;
  /** For methods that take raw bytes. */
  readonly bytes: Buffer | undefined;
  /** Sends a piece of a streamed answer. */
  readonly event: (event: unknown) => void;
}

/** A result that is raw bytes. */
export class RawBytes {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** Ends a subscription. */
export type Unsubscribe = () => Promise<void>;

/** The receiving end of a subscription: events, then its end. */
export interface Subscriber {
  readonly event: (event: unknown) => void;
  readonly end: (error: unknown) => void;
}

type Call<N extends MethodName> = (
  args: MethodArgs<N>,
  call: BridgeCall,
) => Promise<MethodResult<N> | RawBytes>;
type Subscription<N extends MethodName> = (
  args: MethodArgs<N>,
  call: BridgeCall,
  to: Subscriber,
) => Promise<Unsubscribe>;

/** Handlers by method name. A method without one answers that its system does not exist. */
export type Handlers = { readonly [N in MethodName]?: Call<N> };
export type Subscriptions = { readonly [N in MethodName]?: Subscription<N> };
