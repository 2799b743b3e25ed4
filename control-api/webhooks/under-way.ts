/** Sends under way in all. */
const MAX = 512;
const MAX_PER_ENDPOINT = 8;
/** Of one organization: whose receivers all hang takes no more. */
const MAX_PER_ORG = 192;
/** From so many on an endpoint gets only one at a time: many slow receivers must not take all places either. */
const CROWDED = 384;
/** Of bodies: each may have several megabytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Who receives, and whose receiver it is. */
export interface Receiver {
  readonly endpointId: string;
  readonly orgId: string;
}

/** The places for sends: a slow receiver takes nobody else's. A place is taken when its delivery is claimed. */
export class UnderWay {
  readonly #byEndpoint = new Map<string, number>();
  readonly #byOrg = new Map<string, number>();
  #total = 0;
  #bytes = 0;

  /** Places left in all. */
  get free(): number {
    return MAX - this.#total;
  }

  /** Bytes of bodies that may be taken; with nothing under way there is always one. */
  get freeBytes(): number {
    return Math.max(0, MAX_BYTES - this.#bytes);
  }

  /** Whether there is a place for one more delivery to this receiver. */
  hasPlace({ endpointId, orgId }: Receiver): boolean {
    const perEndpoint = this.#total < CROWDED ? MAX_PER_ENDPOINT : 1;
    return (
      this.#total < MAX &&
      (this.#byEndpoint.get(endpointId) ?? 0) < perEndpoint &&
      (this.#byOrg.get(orgId) ?? 0) < MAX_PER_ORG
    );
  }

  take({ endpointId, orgId }: Receiver): void {
    this.#total += 1;
    add(this.#byEndpoint, endpointId, 1);
    add(this.#byOrg, orgId, 1);
  }

  giveBack({ endpointId, orgId }: Receiver): void {
    this.#total -= 1;
    add(this.#byEndpoint, endpointId, -1);
    add(this.#byOrg, orgId, -1);
  }

  /** Bodies that are held for as long as they are sent; negative when they are let go. */
  holdBytes(bytes: number): void {
    this.#bytes += bytes;
  }
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
