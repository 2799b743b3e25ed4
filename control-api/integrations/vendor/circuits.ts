import { Circuits } from "@parley/shared/circuits.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { OrgMap } from "@parley/shared/org-map.ts";

const MAX_PAUSE_MS = 15 * 60_000;
/** One circuit per vendor and host that an organization is connected to. */
const BOUNDS = { perOrg: 200, orgs: 10_000 };
const RULES = { opensAfter: 5, coolDownMs: 15_000, bounds: BOUNDS };

/** Circuits per organization and vendor: opened by repeated failures, or paused at the vendor's request. */
export class VendorCircuits {
  readonly #clock: Clock;
  readonly #circuits: Circuits;
  readonly #pausedUntilMs = new OrgMap<number>(BOUNDS);

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#circuits = new Circuits(clock, RULES);
  }

  /** Seconds left of a pause the vendor asked for; 0 without one. */
  pauseSecs(orgId: string, vendor: string): number {
    const leftMs = (this.#pausedUntilMs.get(orgId, vendor) ?? 0) - this.#clock.monotonicMs();
    return leftMs > 0 ? Math.ceil(leftMs / 1_000) : 0;
  }

  /** False while open. True for the one probe after the cool-down. */
  admits(orgId: string, vendor: string): boolean {
    return this.#circuits.admits(orgId, vendor);
  }

  /** The vendor answered, even if with a refusal. */
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
