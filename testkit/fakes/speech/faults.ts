/** What a fake vendor does wrong. Bytes are those of the audio, sent or received. */
export type Fault =
  /** Answers with this status, also to an upgrade. */
  | { readonly kind: "status"; readonly status: number }
  /** Never answers a request or an upgrade. */
  | { readonly kind: "hang" }
  /** Takes the connection and everything that is sent, and says nothing. */
  | { readonly kind: "mute" }
  /** Drops the connection. */
  | { readonly kind: "die"; readonly afterBytes: number }
  /** Goes silent and keeps the connection. */
  | { readonly kind: "stall"; readonly afterBytes: number }
  /** Sends audio in small pieces, slowly. */
  | { readonly kind: "drip"; readonly chunkBytes: number; readonly everyMs: number };

/** The fault of a fake, asked for once a request or socket. */
export class FaultSwitch {
  #fault: Fault | undefined;
  #times = 0;

  /** From now on, for the next `times` requests. */
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
