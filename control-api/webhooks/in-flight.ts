/** Sends under way in all. */
const MAX = 512;
const MAX_PER_ENDPOINT = 8;
/** Of one organization: whose receivers all hang takes no more. */
const MAX_PER_ORG = 192;
/** Of one organization at one host: a host that many share is not one organization's. */
export const MAX_PER_HOST = 96;
/**
 * From so many on an endpoint gets only one at a time, and an organization few: neither many slow receivers nor some
 * organizations together may take all places.
 */
const CROWDED = 384;
const MAX_PER_ORG_CROWDED = 16;
/** Of bodies: each may have several megabytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Who receives, and whose receiver it is. */
export interface Receiver {
  readonly endpointId: string;
  readonly orgId: string;
  /** Of its address, with the port. */
  readonly host: string;
}

/** The places for sends: a slow receiver takes nobody else's. A place is taken when its delivery is claimed. */
export class InFlight {
  readonly #byEndpoint = new Map<string, number>();
  readonly #byOrg = new Map<string, number>();
  /** By organization and host. */
  readonly #byHost = new Map<string, number>();
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
  hasPlace(receiver: Receiver): boolean {
    const isCrowded = this.#total >= CROWDED;
    return (
      this.#total < MAX &&
      (this.#byEndpoint.get(receiver.endpointId) ?? 0) < (isCrowded ? 1 : MAX_PER_ENDPOINT) &&
      (this.#byOrg.get(receiver.orgId) ?? 0) < (isCrowded ? MAX_PER_ORG_CROWDED : MAX_PER_ORG) &&
      (this.#byHost.get(hostKey(receiver)) ?? 0) < MAX_PER_HOST
    );
  }

  take(receiver: Receiver): void {
    this.#count(receiver, 1);
  }

  giveBack(receiver: Receiver): void {
    this.#count(receiver, -1);
  }

  /** Bodies that are held for as long as they are sent; negative when they are let go. */
  holdBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  #count(receiver: Receiver, by: 1 | -1): void {
    this.#total += by;
    add(this.#byEndpoint, receiver.endpointId, by);
    add(this.#byOrg, receiver.orgId, by);
    add(this.#byHost, hostKey(receiver), by);
  }
}

function hostKey({ orgId, host }: Receiver): string {
  return `${orgId} ${host}`;
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
