import type { InFlight, Receiver } from "./in-flight.ts";

/** Places of one claim for one endpoint. */
export interface Turn<R extends Receiver> {
  readonly receiver: R;
  readonly places: number;
}

/**
 * The endpoints something is owed to, each in its turn. Holds no deliveries: how many there are of each is seen when
 * they are claimed.
 */
export class Rotation<R extends Receiver> {
  /** In the order of their turns. An endpoint that is found again is another object, so that old news drops nothing. */
  readonly #receivers = new Map<string, R>();

  add(receivers: readonly R[]): void {
    for (const receiver of receivers) this.#receivers.set(receiver.endpointId, receiver);
  }

  /** Nothing more was found for it, as of when its turn was taken. */
  drop(receiver: R): void {
    if (this.#receivers.get(receiver.endpointId) === receiver) this.#receivers.delete(receiver.endpointId);
  }

  /**
   * Takes up to `limit` places, `each` at a time from endpoint to endpoint, and puts those that got some at the end.
   * The places are taken in `inFlight`.
   */
  takeTurns(inFlight: InFlight, { limit, each }: { limit: number; each: number }): Turn<R>[] {
    const places = new Map<R, number>();
    let left = limit;
    for (const receiver of this.#receivers.values()) {
      let got = 0;
      while (got < each && left > 0 && inFlight.hasPlace(receiver)) {
        inFlight.take(receiver);
        got += 1;
        left -= 1;
      }
      if (got > 0) places.set(receiver, got);
      if (left === 0) break;
    }
    for (const receiver of places.keys()) this.#putLast(receiver);
    return [...places].map(([receiver, taken]) => ({ receiver, places: taken }));
  }

  #putLast(receiver: R): void {
    this.#receivers.delete(receiver.endpointId);
    this.#receivers.set(receiver.endpointId, receiver);
  }
}
