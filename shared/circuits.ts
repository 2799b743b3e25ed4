import type { Clock } from "./clock.ts";
import { OrgMap, type OrgMapBounds } from "./org-map.ts";

export interface CircuitRules {
  /** Consecutive failures after which a counterpart is left alone. */
  readonly opensAfter: number;
  readonly coolDownMs: number;
  /** Bounds on the remembered circuits. */
  readonly bounds: OrgMapBounds;
}

interface Circuit {
  readonly failures: number;
  readonly openUntilMs: number;
}

/**
 * Circuit breakers of an organization's counterparts, by name: after several consecutive failures a counterpart is
 * left alone until one request after the cool-down shows that it answers again. One organization's failures never
 * affect another.
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
   * Returns false when one of these circuits is open: the request must not even be tried. Returns true for the single
   * request that probes after the cool-down; all others keep waiting.
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

  /** Records that the counterpart answered, if only to refuse. */
  answered(orgId: string, name: string): void {
    this.#circuits.delete(orgId, name);
  }

  failed(orgId: string, name: string): void {
    this.#set(orgId, name, (this.#circuits.get(orgId, name)?.failures ?? 0) + 1);
  }

  /** Opens the circuit immediately, when no retry would help. */
  open(orgId: string, name: string): void {
    this.#set(orgId, name, this.#rules.opensAfter);
  }

  #set(orgId: string, name: string, failures: number): void {
    const openUntilMs = this.#clock.monotonicMs() + this.#rules.coolDownMs;
    this.#circuits.set(orgId, name, { failures, openUntilMs });
  }
}
