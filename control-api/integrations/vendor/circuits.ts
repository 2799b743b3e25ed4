import type { Clock } from "@parley/shared/clock.ts";
import { OrgMap } from "@parley/shared/org-map.ts";

/** Failures in a row after which a vendor is left alone for a while. */
const OPENS_AFTER = 5;
const COOL_DOWN_MS = 15_000;
const MAX_PAUSE_MS = 15 * 60_000;
/** A circuit for each vendor and host that an organization has connections to. */
const BOUNDS = { perOrg: 200, orgs: 10_000 };

interface Circuit {
  failures: number;
  openUntilMs: number;
  pausedUntilMs: number;
}

/**
 * Which vendors an organization leaves alone: those that failed several times in a row, until one request after the cool-down
 * shows that they answer again, and those that asked for a pause. One organization's failures are nobody else's.
 */
export class VendorCircuits {
  readonly #clock: Clock;
  readonly #circuits = new OrgMap<Circuit>(BOUNDS);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Seconds for which the vendor asked to be left alone; 0 when it did not. */
  pauseSecs(orgId: string, vendor: string): number {
    const leftMs = (this.#circuits.get(orgId, vendor)?.pausedUntilMs ?? 0) - this.#clock.monotonicMs();
    return leftMs > 0 ? Math.ceil(leftMs / 1_000) : 0;
  }

  /** False: do not even try. True for the one request that probes after the cool-down. */
  admits(orgId: string, vendor: string): boolean {
    const circuit = this.#circuits.get(orgId, vendor);
    if (!circuit || circuit.failures < OPENS_AFTER) return true;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < circuit.openUntilMs) return false;
    circuit.openUntilMs = nowMs + COOL_DOWN_MS;
    return true;
  }

  /** It answered, if only to refuse. */
  answered(orgId: string, vendor: string): void {
    this.#circuits.delete(orgId, vendor);
  }

  failed(orgId: string, vendor: string): void {
    const openUntilMs = this.#clock.monotonicMs() + COOL_DOWN_MS;
    const { failures = 0, pausedUntilMs = 0 } = this.#circuits.get(orgId, vendor) ?? {};
    this.#circuits.set(orgId, vendor, { failures: failures + 1, openUntilMs, pausedUntilMs });
  }

  pause(orgId: string, vendor: string, forSecs: number): void {
    const pausedUntilMs = this.#clock.monotonicMs() + Math.min(forSecs * 1_000, MAX_PAUSE_MS);
    this.#circuits.set(orgId, vendor, { failures: 0, openUntilMs: 0, pausedUntilMs });
  }
}
