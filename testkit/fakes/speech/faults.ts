/** A fake vendor's misbehavior. Byte counts refer to audio, sent or received. */
export type Fault =
  /** Answers with this status, also to an upgrade. */
  | { readonly kind: "status"; readonly status: number }
  /** Never answers requests or upgrades. */
  | { readonly kind: "hang" }
  /** Accepts the connection and everything sent, but never answers. */
  | { readonly kind: "mute" }
  /** Drops the connection. */
  | { readonly kind: "die"; readonly afterBytes: number }
  /** Goes silent and keeps the connection. */
  | { readonly kind: "stall"; readonly afterBytes: number }
  /** Sends audio slowly in small pieces. */
  | { readonly kind: "drip"; readonly chunkBytes: number; readonly everyMs: number };

/** A fake's fault, queried once per request or socket. */
export class FaultSwitch {
  #fault: Fault | undefined;
  #times = 0;

  /** Sets the fault for the next `times` requests. */
  set(fault: Fault, times = Number.POSITIVE_INFINITY): void {
    this.#fault = fault;
    this.#times = times;
  }

  clear(): void {
    this.#times = 0;
  }

  take(): Fault | undefined {
    if (this.#times <= 0) return undefined;
    this.#times -= 1;
    return this.#fault;
  }
}
