import type { InFlight, Receiver } from "./in-flight.ts";

/** An endpoint's places in one turn. */
export interface Turn<R extends Receiver> {
  readonly receiver: R;
  readonly places: number;
}

/** Endpoints with deliveries to send, in rotation. */
export class Rotation<R extends Receiver> {
  /** In order of turns. */
  readonly #receivers = new Map<string, R>();

  add(receivers: readonly R[]): void {
    for (const receiver of receivers) this.#receivers.set(receiver.endpointId, receiver);
  }

  /** Drops an endpoint that had nothing more when its turn was taken. */
  drop(receiver: R): void {
    if (this.#receivers.get(receiver.endpointId) === receiver) this.#receivers.delete(receiver.endpointId);
  }

  /**
   * Takes up to `limit` places, at most `each` per endpoint, and moves the endpoints that got some to the end. Takes
   * the places in `inFlight`.
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
