export interface OrgMapBounds {
  /** Values of one organization; past it, its own oldest gives way. */
  readonly perOrg: number;
  /** Organizations with values; past it, the one that changed longest ago gives way. */
  readonly orgs: number;
}

/**
 * Values by organization and key. It is bounded for each organization apart, so that one that fills its share pushes
 * out nothing of another's.
 */
export class OrgMap<T> {
  readonly #bounds: OrgMapBounds;
  readonly #orgs = new Map<string, Map<string, T>>();

  constructor(bounds: OrgMapBounds) {
    this.#bounds = bounds;
  }

  get(orgId: string, key: string): T | undefined {
    return this.#orgs.get(orgId)?.get(key);
  }

  /** The value becomes the newest of its organization. */
  set(orgId: string, key: string, value: T): void {
    const values = this.#orgs.get(orgId) ?? new Map<string, T>();
    putLast(values, key, value);
    putLast(this.#orgs, orgId, values);
    dropOldest(values, this.#bounds.perOrg);
    dropOldest(this.#orgs, this.#bounds.orgs);
  }

  delete(orgId: string, key: string): void {
    const values = this.#orgs.get(orgId);
    values?.delete(key);
    if (values?.size === 0) this.#orgs.delete(orgId);
  }
}

function putLast<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}

function dropOldest(map: Map<string, unknown>, limit: number): void {
  const oldest = map.keys().next().value;
  if (map.size > limit && oldest !== undefined) map.delete(oldest);
}
