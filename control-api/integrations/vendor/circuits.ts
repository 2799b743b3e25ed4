import { Circuits } from "@parley/shared/circuits.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { OrgMap } from "@parley/shared/org-map.ts";

const MAX_PAUSE_MS = 15 * 60_000;
/** One for each vendor and host that an organization has connections to. */
const BOUNDS = { perOrg: 200, orgs: 10_000 };
const RULES = { opensAfter: 5, coolDownMs: 15_000, bounds: BOUNDS };

/** Which vendors an organization leaves alone: those that failed several times in a row, and those that asked for a pause. */
export class VendorCircuits {
  readonly #clock: Clock;
  readonly #circuits: Circuits;
  readonly #pausedUntilMs = new OrgMap<number>(BOUNDS);

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#circuits = new Circuits(clock, RULES);
  }

  /** Seconds for which the vendor asked to be left alone; 0 when it did not. */
  pauseSecs(orgId: string, vendor: string): number {
    const leftMs = (this.#pausedUntilMs.get(orgId, vendor) ?? 0) - this.#clock.monotonicMs();
    return leftMs > 0 ? Math.ceil(leftMs / 1_000) : 0;
  }

  /** False: do not even try. True for the one request that probes after the cool-down. */
  admits(orgId: string, vendor: string): boolean {
    return this.#circuits.admits(orgId, vendor);
  }

  /** It answered, if only to refuse. */
  answered(orgId: string, vendor: string): void {
    this.#circuits.answered(orgId, vendor);
    this.#pausedUntilMs.delete(orgId, vendor);
  }

  failed(orgId: string, vendor: string): void {
    this.#circuits.failed(orgId, vendor);
  }

  pause(orgId: string, vendor: string, forSecs: number): void {
    this.#circuits.answered(orgId, vendor);
    const untilMs = this.#clock.monotonicMs() + Math.min(forSecs * 1_000, MAX_PAUSE_MS);
    this.#pausedUntilMs.set(orgId, vendor, untilMs);
  }
}
