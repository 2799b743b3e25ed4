/** Share of taken places from which the rest is reserved for organizations with few. */
const CROWDED = 0.9;
/** Share of all places below which an organization has few. */
const FEW = 0.1;

/** Temporarily taken places, counted by organization. */
export class OrgShare {
  readonly #max: number;
  readonly #maxOfOne: number;
  readonly #byOrg = new Map<string, number>();
  #taken = 0;
  /** The first organization to ask. */
  #first: string | undefined;
  #isShared = false;

  /** `maxOfOne` limits an organization even when it is alone; absent: it may take all places. */
  constructor(max: number, maxOfOne: number = max) {
    this.#max = max;
    this.#maxOfOne = maxOfOne;
  }

  /**
   * Once a second organization has asked, the last tenth of the places is reserved for organizations that hold less
   * than a tenth of all; an organization alone on an installation gets every place.
   */
  hasRoom(orgId: string): boolean {
    this.#first ??= orgId;
    this.#isShared ||= orgId !== this.#first;
    const own = this.#byOrg.get(orgId) ?? 0;
    if (this.#taken >= this.#max || own >= this.#maxOfOne) return false;
    if (!this.#isShared || this.#taken < this.#max * CROWDED) return true;
    return own < this.#max * FEW;
  }

  take(orgId: string): void {
    this.#taken += 1;
    this.#byOrg.set(orgId, (this.#byOrg.get(orgId) ?? 0) + 1);
  }

  giveBack(orgId: string): void {
    this.#taken -= 1;
    const left = (this.#byOrg.get(orgId) ?? 0) - 1;
    if (left > 0) this.#byOrg.set(orgId, left);
    else this.#byOrg.delete(orgId);
  }
}
