/** Sends under way in all. */
const MAX = 192;
const MAX_PER_ENDPOINT = 8;
/** Of one organization: whose receivers all hang takes no more. */
const MAX_PER_ORG = 96;
/** From so many on an endpoint gets only one at a time: many slow receivers must not take all places either. */
const CROWDED = 128;
/** Of bodies: each may have several megabytes. */
const MAX_BYTES = 64 * 1024 * 1024;

interface Sent {
  readonly endpointId: string;
  readonly orgId: string;
  readonly bytes: number;
}

/** The places for sends: a slow receiver takes nobody else's. */
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

  /** How many one endpoint, and one organization, may have now. */
  get perEndpoint(): number {
    return this.#total < CROWDED ? MAX_PER_ENDPOINT : 1;
  }

  get perOrg(): number {
    return MAX_PER_ORG;
  }

  /** How many each endpoint and each organization has. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#byEndpoint, ...this.#byOrg]);
  }

  begin({ endpointId, orgId, bytes }: Sent): void {
    this.#total += 1;
    this.#bytes += bytes;
    add(this.#byEndpoint, endpointId, 1);
    add(this.#byOrg, orgId, 1);
  }

  end({ endpointId, orgId, bytes }: Sent): void {
    this.#total -= 1;
    this.#bytes -= bytes;
    add(this.#byEndpoint, endpointId, -1);
    add(this.#byOrg, orgId, -1);
  }
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
