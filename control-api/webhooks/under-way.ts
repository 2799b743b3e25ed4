/** Sends under way in all: each may hold several megabytes. */
const MAX = 128;
const MAX_PER_ENDPOINT = 8;
/** From so many on an endpoint gets only one at a time: many slow receivers must not take all places either. */
const CROWDED = 64;

/** The places for sends: a slow receiver takes nobody else's. */
export class UnderWay {
  readonly #byEndpoint = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** Places left in all. */
  get free(): number {
    return MAX - this.#total;
  }

  /** How many one endpoint may have now. */
  get perEndpoint(): number {
    return this.#total < CROWDED ? MAX_PER_ENDPOINT : 1;
  }

  /** How many each endpoint has. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#byEndpoint);
  }

  begin(endpointId: string): void {
    this.#total += 1;
    this.#byEndpoint.set(endpointId, (this.#byEndpoint.get(endpointId) ?? 0) + 1);
  }

  end(endpointId: string): void {
    this.#total -= 1;
    const left = (this.#byEndpoint.get(endpointId) ?? 1) - 1;
    if (left > 0) this.#byEndpoint.set(endpointId, left);
    else this.#byEndpoint.delete(endpointId);
  }
}
