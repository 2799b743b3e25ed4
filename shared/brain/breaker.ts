import { Circuits } from "../circuits.ts";
import type { Clock } from "../clock.ts";

const RULES = { opensAfter: 5, coolDownMs: 10_000, bounds: { perOrg: 100, orgs: 10_000 } };

/** Whose failures count together: an organization's at one endpoint, so that they are nobody else's. */
export interface BreakerKey {
  readonly orgId: string;
  readonly endpoint: string;
}

/** Circuit breaker of an organization's endpoint: a dead brain costs its callers no connect time-out each. */
export class BrainBreaker {
  readonly #circuits: Circuits;

  constructor(clock: Clock) {
    this.#circuits = new Circuits(clock, RULES);
  }

  /** False: do not even try. */
  admits({ orgId, endpoint }: BreakerKey): boolean {
    return this.#circuits.admits(orgId, endpoint);
  }

  /** The endpoint answered, if only to refuse. */
  answered({ orgId, endpoint }: BreakerKey): void {
    this.#circuits.answered(orgId, endpoint);
  }

  failed({ orgId, endpoint }: BreakerKey): void {
    this.#circuits.failed(orgId, endpoint);
  }
}
