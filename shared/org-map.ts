export interface OrgMapBounds {
  /** Maximum values per organization; beyond it, the organization's oldest is evicted. */
  readonly perOrg: number;
  /** Maximum organizations; beyond it, the one that changed longest ago is evicted. */
  readonly orgs: number;
}

/**
 * Values by organization and key, bounded per organization, so that one that fills its share evicts nothing of
 * another's.
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

  /** Sets a value, which becomes the newest of its organization. */
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
