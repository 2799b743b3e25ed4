import type { Duplex } from "node:stream";
import type { AppError } from "../errors.ts";

export interface SocketLimits {
  /** Aborts the connection with the signal's reason. */
  readonly signal: AbortSignal;
  /** Maximum total bytes from the other side. */
  readonly maxReadBytes: number;
}

/** A connection vetted when it is made, for a client of a protocol other than HTTP. */
export interface GuardedSocket extends Duplex {
  connect(port: number, host: string): this;
  setNoDelay(): this;
  /**
   * Why the connection ended if Parley ended it or it could not be made: blocked_address, deadline_exceeded
   * (connecting took too long), response_too_large, unavailable.
   */
  readonly failure: AppError | undefined;
  /** Called once the client has said goodbye: the connection closes soon, whatever the other side does. */
  release(): void;
}

/** Connections for protocols other than HTTP. */
export interface Sockets {
  /** True in production: only encrypted connections may be made. */
  readonly isTlsRequired: boolean;
  /** Returns a socket that is not connected yet. */
  open(orgId: string, limits: SocketLimits): GuardedSocket;
}
