import type { Clock } from "./clock.ts";
import { OrgMap, type OrgMapBounds } from "./org-map.ts";

export interface CircuitRules {
  /** Failures in a row after which one is left alone. */
  readonly opensAfter: number;
  readonly coolDownMs: number;
  /** Circuits remembered. */
  readonly bounds: OrgMapBounds;
}

interface Circuit {
  readonly failures: number;
  readonly openUntilMs: number;
}

/**
 * Circuit breakers of an organization's counterparts, by name: one that failed several times in a row is left alone, until one
 * request after the cool-down shows that it answers again. One organization's failures are nobody else's.
 */
export class Circuits {
  readonly #clock: Clock;
  readonly #rules: CircuitRules;
  readonly #circuits: OrgMap<Circuit>;

  constructor(clock: Clock, rules: CircuitRules) {
    this.#clock = clock;
    this.#rules = rules;
    this.#circuits = new OrgMap<Circuit>(rules.bounds);
  }

  /**
   * False: do not even try, one of these circuits is open. True for the one request that probes after the cool-down;
   * everybody else goes on waiting.
   */
  admits(orgId: string, ...names: readonly string[]): boolean {
    const { opensAfter, coolDownMs } = this.#rules;
    const nowMs = this.#clock.monotonicMs();
    const open = names.flatMap((name) => {
      const circuit = this.#circuits.get(orgId, name);
      return circuit && circuit.failures >= opensAfter ? [{ name, ...circuit }] : [];
    });
    if (open.some(({ openUntilMs }) => nowMs < openUntilMs)) return false;
    for (const { name, failures } of open)
      this.#circuits.set(orgId, name, { failures, openUntilMs: nowMs + coolDownMs });
    return true;
  }

  /** It answered, if only to refuse. */
  answered(orgId: string, name: string): void {
    this.#circuits.delete(orgId, name);
  }

  failed(orgId: string, name: string): void {
    this.#set(orgId, name, (this.#circuits.get(orgId, name)?.failures ?? 0) + 1);
  }

  /** No second try would help: it is left alone at once. */
  open(orgId: string, name: string): void {
    this.#set(orgId, name, this.#rules.opensAfter);
  }

  #set(orgId: string, name: string, failures: number): void {
    const openUntilMs = this.#clock.monotonicMs() + this.#rules.coolDownMs;
    this.#circuits.set(orgId, name, { failures, openUntilMs });
  }
}
