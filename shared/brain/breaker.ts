import type { Clock } from "../clock.ts";
import { OrgMap } from "../org-map.ts";

/** Failures in a row after which an endpoint is left alone for a while. */
const OPENS_AFTER = 5;
const COOL_DOWN_MS = 10_000;
/** Circuits remembered. */
const BOUNDS = { perOrg: 100, orgs: 10_000 };

/** Whose failures count together: an organization's at one endpoint, so that they are nobody else's. */
export interface BreakerKey {
  readonly orgId: string;
  readonly endpoint: string;
}

interface Circuit {
  failures: number;
  openUntilMs: number;
}

/**
 * Circuit breaker of an organization's endpoint: a dead brain costs its callers no connect time-out each. After the
 * cool-down one request probes; its success closes the circuit.
 */
export class BrainBreaker {
  readonly #clock: Clock;
  readonly #circuits = new OrgMap<Circuit>(BOUNDS);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** False: do not even try. */
  admits({ orgId, endpoint }: BreakerKey): boolean {
    const circuit = this.#circuits.get(orgId, endpoint);
    if (!circuit || circuit.failures < OPENS_AFTER) return true;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < circuit.openUntilMs) return false;
    // Everybody but this probe keeps waiting.
    circuit.openUntilMs = nowMs + COOL_DOWN_MS;
    return true;
  }

  /** The endpoint answered, if only to refuse. */
  answered({ orgId, endpoint }: BreakerKey): void {
    this.#circuits.delete(orgId, endpoint);
  }

  failed({ orgId, endpoint }: BreakerKey): void {
    const circuit = this.#circuits.get(orgId, endpoint) ?? { failures: 0, openUntilMs: 0 };
    circuit.failures += 1;
    circuit.openUntilMs = this.#clock.monotonicMs() + COOL_DOWN_MS;
    this.#circuits.set(orgId, endpoint, circuit);
  }
}
