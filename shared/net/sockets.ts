import type { Duplex } from "node:stream";
import type { AppError } from "../errors.ts";

export interface SocketLimits {
  /** Breaks the connection off with its reason. */
  readonly signal: AbortSignal;
  /** The other side may send so much in all. */
  readonly maxReadBytes: number;
}

/** A connection that is vetted when it is made, for a client of another protocol than HTTP. */
export interface GuardedSocket extends Duplex {
  connect(port: number, host: string): this;
  setNoDelay(): this;
  /**
   * Why it ended, where that was our doing or it could not be made: blocked_address, deadline_exceeded (connecting took too
   * long), response_too_large, unavailable.
   */
  readonly failure: AppError | undefined;
  /** For when its client has said goodbye: it is closed soon, whatever the other side does. */
  release(): void;
}

/** Ways out for protocols other than HTTP. */
export interface Sockets {
  /** Only encrypted connections are to be made: in production. */
  readonly isTlsRequired: boolean;
  /** One that is not connected yet. */
  open(orgId: string, limits: SocketLimits): GuardedSocket;
}
