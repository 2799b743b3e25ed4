import type { PriorDiscovery } from "@modelcontextprotocol/client";
import type { Clock } from "@parley/shared/clock.ts";
import { OrgMap } from "@parley/shared/org-map.ts";

/** A server that was brought up to date is noticed after this time. */
const KEEP_MS = 10 * 60_000;

interface Verdict {
  readonly prior: PriorDiscovery;
  readonly untilMs: number;
}

/** Which era of the protocol servers speak, as it was found out: what is known need not be asked with every call. */
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
