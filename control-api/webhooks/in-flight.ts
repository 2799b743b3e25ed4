/** Sends in progress, in total. */
const MAX = 512;
const MAX_PER_ENDPOINT = 8;
/** Per organization, so that one whose receivers all hang takes no more. */
const MAX_PER_ORG = 192;
/** Per organization and host, so that organizations sharing a host do not share its limit. */
export const MAX_PER_HOST = 96;
/**
 * From this total on, each endpoint gets one place and each organization few, so that neither many slow receivers nor a
 * few organizations take all places.
 */
const CROWDED = 384;
const MAX_PER_ORG_CROWDED = 16;
/** Total size of bodies, each of which may be several megabytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A receiver and its owner. */
export interface Receiver {
  readonly endpointId: string;
  readonly orgId: string;
  /** Of its address, with the port. */
  readonly host: string;
}

/** Places for sends: a slow receiver takes nobody else's. A place is taken when its delivery is about to be sent. */
export class InFlight {
  readonly #byEndpoint = new Map<string, number>();
  readonly #byOrg = new Map<string, number>();
  /** By organization, then by host. */
  readonly #byHost = new Map<string, Map<string, number>>();
  #total = 0;
  #bytes = 0;

  /** Free places in total. */
  get free(): number {
    return MAX - this.#total;
  }

  /** Bytes of bodies that may still be taken; positive whenever nothing is in progress. */
  get freeBytes(): number {
    return Math.max(0, MAX_BYTES - this.#bytes);
  }

  /** Whether one more delivery to this receiver has a place. */
  hasPlace(receiver: Receiver): boolean {
    const isCrowded = this.#total >= CROWDED;
    return (
      this.#total < MAX &&
      (this.#byEndpoint.get(receiver.endpointId) ?? 0) < (isCrowded ? 1 : MAX_PER_ENDPOINT) &&
      (this.#byOrg.get(receiver.orgId) ?? 0) < (isCrowded ? MAX_PER_ORG_CROWDED : MAX_PER_ORG) &&
      (this.#byHost.get(receiver.orgId)?.get(receiver.host) ?? 0) < MAX_PER_HOST
    );
  }

  take(receiver: Receiver): void {
    this.#count(receiver, 1);
  }

  giveBack(receiver: Receiver): void {
    this.#count(receiver, -1);
  }

  /** Counts bodies held while they are sent; negative when released. */
  holdBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  #count(receiver: Receiver, by: 1 | -1): void {
    this.#total += by;
    add(this.#byEndpoint, receiver.endpointId, by);
    add(this.#byOrg, receiver.orgId, by);
    const hosts = this.#byHost.get(receiver.orgId) ?? new Map<string, number>();
    add(hosts, receiver.host, by);
    if (hosts.size > 0) this.#byHost.set(receiver.orgId, hosts);
    else this.#byHost.delete(receiver.orgId);
  }
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
