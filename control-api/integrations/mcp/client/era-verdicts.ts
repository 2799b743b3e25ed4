import type { PriorDiscovery } from "@modelcontextprotocol/client";
import type { Clock } from "@parley/shared/clock.ts";
import { OrgMap } from "@parley/shared/org-map.ts";

/** After this time an upgraded server is noticed. */
const KEEP_MS = 10 * 60_000;

interface Verdict {
  readonly prior: PriorDiscovery;
  readonly untilMs: number;
}

/** The protocol era each server speaks, remembered so that calls need not probe it. */
export class EraVerdicts {
  readonly #clock: Clock;
  readonly #kept = new OrgMap<Verdict>({ perOrg: 100, orgs: 1_000 });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(orgId: string, key: string): PriorDiscovery | undefined {
    const kept = this.#kept.get(orgId, key);
    if (kept === undefined || kept.untilMs > this.#clock.monotonicMs()) return kept?.prior;
    this.#kept.delete(orgId, key);
    return undefined;
  }

  set(orgId: string, key: string, prior: PriorDiscovery): void {
    this.#kept.set(orgId, key, { prior, untilMs: this.#clock.monotonicMs() + KEEP_MS });
  }

  forget(orgId: string, key: string): void {
    this.#kept.delete(orgId, key);
  }
}
