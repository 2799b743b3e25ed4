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

/** Deliveries counted by whom they go to. */
export class Counts {
  readonly #byEndpoint = new Map<string, number>();
  readonly #byOrg = new Map<string, number>();
  /** By organization, then by host. */
  readonly #byHost = new Map<string, Map<string, number>>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  add({ endpointId, orgId, host }: Receiver, by: number): void {
    if (by === 0) return;
    this.#total += by;
    add(this.#byEndpoint, endpointId, by);
    add(this.#byOrg, orgId, by);
    let hosts = this.#byHost.get(orgId);
    if (!hosts) {
      hosts = new Map();
      this.#byHost.set(orgId, hosts);
    }
    add(hosts, host, by);
    if (hosts.size === 0) this.#byHost.delete(orgId);
  }

  ofEndpoint(endpointId: string): number {
    return this.#byEndpoint.get(endpointId) ?? 0;
  }

  ofOrg(orgId: string): number {
    return this.#byOrg.get(orgId) ?? 0;
  }

  /** Of one organization at a host. */
  ofHost(orgId: string, host: string): number {
    return this.#byHost.get(orgId)?.get(host) ?? 0;
  }
}

const NONE = new Counts();

/** Places for sends: a slow receiver takes nobody else's. A place is taken when its delivery is about to be sent. */
export class InFlight {
  readonly #taken = new Counts();
  #bytes = 0;

  /** Free places in total. */
  get free(): number {
    return MAX - this.#taken.total;
  }

  /** Bytes of bodies that may still be taken; positive whenever nothing is in progress. */
  get freeBytes(): number {
    return Math.max(0, MAX_BYTES - this.#bytes);
  }

  /** Whether one more delivery to this receiver has a place. */
  hasPlace(receiver: Receiver): boolean {
    return this.places(receiver) > 0;
  }

  /** How many more deliveries to this receiver have a place, when those that `wait` get theirs first. */
  places({ endpointId, orgId, host }: Receiver, wait: Counts = NONE): number {
    const total = this.#taken.total + wait.total;
    const isCrowded = this.#taken.total >= CROWDED;
    const free = Math.min(
      MAX - total,
      (isCrowded ? 1 : MAX_PER_ENDPOINT) - this.#taken.ofEndpoint(endpointId) - wait.ofEndpoint(endpointId),
      (isCrowded ? MAX_PER_ORG_CROWDED : MAX_PER_ORG) - this.#taken.ofOrg(orgId) - wait.ofOrg(orgId),
      MAX_PER_HOST - this.#taken.ofHost(orgId, host) - wait.ofHost(orgId, host),
    );
    return Math.max(0, free);
  }

  /** Whether this receiver has a place that no other could have: what all share has places for others as well. */
  hasPlaceOfItsOwn({ endpointId, orgId, host }: Receiver): boolean {
    return (
      this.#taken.total + 1 < CROWDED &&
      this.#taken.ofEndpoint(endpointId) < MAX_PER_ENDPOINT &&
      this.#taken.ofOrg(orgId) + 1 < MAX_PER_ORG &&
      this.#taken.ofHost(orgId, host) + 1 < MAX_PER_HOST
    );
  }

  take(receiver: Receiver): void {
    this.#taken.add(receiver, 1);
  }

  giveBack(receiver: Receiver): void {
    this.#taken.add(receiver, -1);
  }

  /** Counts bodies held while they are sent; negative when released. */
  holdBytes(bytes: number): void {
    this.#bytes += bytes;
  }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
