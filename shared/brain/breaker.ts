import { Circuits } from "../circuits.ts";
import type { Clock } from "../clock.ts";

const RULES = { opensAfter: 5, coolDownMs: 10_000, bounds: { perOrg: 100, orgs: 10_000 } };

/** Failures are counted per organization and endpoint, so one organization's failures never affect another. */
export interface BreakerKey {
  readonly orgId: string;
  readonly endpoint: string;
}

/** Circuit breaker per organization and endpoint: callers of a dead brain do not each wait for a connect timeout. */
export class BrainBreaker {
  readonly #circuits: Circuits;

  constructor(clock: Clock) {
    this.#circuits = new Circuits(clock, RULES);
  }

  /** Returns false when the request must not even be tried. */
  admits({ orgId, endpoint }: BreakerKey): boolean {
    return this.#circuits.admits(orgId, endpoint);
  }

  /** Records that the endpoint answered, if only to refuse. */
  answered({ orgId, endpoint }: BreakerKey): void {
    this.#circuits.answered(orgId, endpoint);
  }

  failed({ orgId, endpoint }: BreakerKey): void {
    this.#circuits.failed(orgId, endpoint);
  }
}
