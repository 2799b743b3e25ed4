import type { LookupAddress } from "node:dns";
import type { Clock } from "../../clock.ts";
import { OrgMap } from "../../org-map.ts";
import { codeOf, LookupError } from "./lookup-error.ts";
import type { Resolve } from "./system-resolver.ts";

/** Concurrent look-ups per organization; more wait. */
const MAX_IN_FLIGHT = 16;
/** Waiting look-ups per organization; more are refused at once. */
const MAX_WAITING = 500;
/** How long a failed name is not looked up again. */
const FAILED_FOR_MS = 3_000;
const FAILURES = { perOrg: 500, orgs: 10_000 };
/** Time after which a resolver without an answer loses its place. */
const PLACE_MS = 5_000;
/** Default time limit of a look-up, including waiting. */
const LOOKUP_TIMEOUT_MS = 4_000;

export interface NameLookupsDeps {
  readonly resolve: Resolve;
  readonly clock: Clock;
}

interface Failure {
  readonly code: string;
  readonly untilMs: number;
}

interface Org {
  readonly inFlight: Map<string, Promise<readonly LookupAddress[]>>;
  /** Look-ups waiting for a place. */
  readonly waiting: (() => void)[];
  places: number;
}

/**
 * Looks up names given by customers, bounded per organization and in time, so that one organization's unresponsive
 * name servers affect nobody else. Caches failures briefly, and answers not at all.
 */
export class NameLookups {
  readonly #deps: NameLookupsDeps;
  readonly #orgs = new Map<string, Org>();
  readonly #failures = new OrgMap<Failure>(FAILURES);

  constructor(deps: NameLookupsDeps) {
    this.#deps = deps;
  }

  /** Rejects with `LookupError`; ETIMEOUT when no answer came within `timeoutMs`, waiting for a place included. */
  async lookUp(
    orgId: string,
    host: string,
    timeoutMs = LOOKUP_TIMEOUT_MS,
  ): Promise<readonly LookupAddress[]> {
    const failure = this.#failures.get(orgId, host);
    if (failure && this.#deps.clock.monotonicMs() < failure.untilMs) {
      throw new LookupError(host, failure.code);
    }
    const org = this.#orgs.get(orgId) ?? { inFlight: new Map(), waiting: [], places: MAX_IN_FLIGHT };
    this.#orgs.set(orgId, org);
    const known = org.inFlight.get(host);
    if (!known && org.inFlight.size >= MAX_IN_FLIGHT + MAX_WAITING) throw new LookupError(host, "EBUSY");
    const looking = known ?? this.#begin(orgId, host, org);
    return this.#within(timeoutMs, host, looking);
  }

  #begin(orgId: string, host: string, org: Org): Promise<readonly LookupAddress[]> {
    const looking = this.#inPlace(org, host)
      .catch((error: unknown) => {
        const code = codeOf(error) ?? "ESERVFAIL";
        this.#failures.set(orgId, host, {
          code,
          untilMs: this.#deps.clock.monotonicMs() + FAILED_FOR_MS,
        });
        throw error instanceof LookupError ? error : new LookupError(host, code, error);
      })
      .finally(() => {
        org.inFlight.delete(host);
        if (org.inFlight.size === 0) this.#orgs.delete(orgId);
      });
    // The caller may have given up.
    looking.catch(() => undefined);
    org.inFlight.set(host, looking);
    return looking;
  }

  async #inPlace(org: Org, host: string): Promise<readonly LookupAddress[]> {
    if (org.places > 0) org.places -= 1;
    else await new Promise<void>((resolve) => org.waiting.push(resolve));
    try {
      return await this.#within(PLACE_MS, host, this.#deps.resolve(host));
    } finally {
      const next = org.waiting.shift();
      if (next) next();
      else org.places += 1;
    }
  }

  #within<T>(ms: number, host: string, work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.#deps.clock.after(ms, () => reject(new LookupError(host, "ETIMEOUT")));
      work.finally(cancel).then(resolve, reject);
    });
  }
}
