import type { MethodArgs, MethodName, MethodResult } from "@parley/platform/methods/table.ts";
import type { Client } from "../../http/plugins/client.ts";
import type { BridgeCaller } from "./caller.ts";

/** One call, as its handler sees it. */
export interface BridgeCall {
  readonly caller: BridgeCaller;
  /** Where the host's request comes from. */
  readonly client: Client;
  /** Aborted when the call took too long, or its host went. */
  readonly signal: AbortSignal;
  /** Of methods that take raw bytes. */
  readonly bytes: Buffer | undefined;
  /** Of a method that streams its answer: tells a piece of it. */
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

/** What a subscription tells: events, and that it is over. */
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

/** What carries methods out, by their names. A method without one answers that its system does not exist. */
export type Handlers = { readonly [N in MethodName]?: Call<N> };
export type Subscriptions = { readonly [N in MethodName]?: Subscription<N> };
