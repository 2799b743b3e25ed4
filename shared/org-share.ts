/** From this share on places are for organizations that have few. */
const CROWDED = 0.9;
/** What counts as few, of all places. */
const FEW = 0.1;

/** Places that are taken for a while, counted by organization. */
export class OrgShare {
  readonly #max: number;
  readonly #maxOfOne: number;
  readonly #byOrg = new Map<string, number>();
  #taken = 0;
  /** The first organization that came. */
  #first: string | undefined;
  #isShared = false;

  /** An organization has `maxOfOne` at most, also when it is alone; all of them when absent. */
  constructor(max: number, maxOfOne: number = max) {
    this.#max = max;
    this.#maxOfOne = maxOfOne;
  }

  /**
   * The last tenth of the places is kept for organizations that have less than a tenth of them, from when a second one has
   * asked: an organization that has an installation to itself gets them all.
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
