import type { Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import { countedDispatcher } from "./counted-dispatcher.ts";
import type { Dispatchers } from "./dispatchers.ts";
import type { EgressOutcome } from "./egress-outcome.ts";
import { createGuardedDispatcher, type GuardedDispatcherOptions } from "./guarded-dispatcher.ts";
import type { NameLookups } from "./names/name-lookups.ts";

export interface GuardedDispatchersOptions extends Omit<GuardedDispatcherOptions, "resolve"> {
  readonly names: Pick<NameLookups, "lookUp">;
  readonly clock: Clock;
  /** Called with the outcome of each request. */
  readonly onOutcome: (outcome: EgressOutcome) => void;
}

/** Share of the connect time that a name look-up may take, which leaves the rest for connecting. */
const LOOKUP_SHARE = 0.8;
/** An organization idle for this long starts over with new connections. */
const IDLE_MS = 5 * 60_000;

/** One guarded dispatcher per organization, created on first use. */
export class GuardedDispatchers implements Dispatchers {
  readonly #options: GuardedDispatchersOptions;
  readonly #orgs = new Map<string, { readonly dispatcher: Dispatcher; usedAtMs: number }>();
  readonly #stopSweeping: () => void;

  constructor(options: GuardedDispatchersOptions) {
    this.#options = options;
    this.#stopSweeping = options.clock.every(IDLE_MS, () => this.#closeIdle());
  }

  of(orgId: string): Dispatcher {
    const usedAtMs = this.#options.clock.monotonicMs();
    const known = this.#orgs.get(orgId);
    if (known) {
      known.usedAtMs = usedAtMs;
      return known.dispatcher;
    }
    const dispatcher = this.#open(orgId);
    this.#orgs.set(orgId, { dispatcher, usedAtMs });
    return dispatcher;
  }

  /** Resolves once pending requests are done. */
  async close(): Promise<void> {
    await Promise.all(this.#takeAll().map((dispatcher) => dispatcher.close()));
  }

  /** Aborts pending requests. */
  async destroy(): Promise<void> {
    await Promise.all(this.#takeAll().map((dispatcher) => dispatcher.destroy()));
  }

  #takeAll(): Dispatcher[] {
    this.#stopSweeping();
    const all = [...this.#orgs.values()].map(({ dispatcher }) => dispatcher);
    this.#orgs.clear();
    return all;
  }

  #open(orgId: string): Dispatcher {
    const { names, clock: _, onOutcome, ...options } = this.#options;
    const lookupTimeoutMs = options.connectTimeoutMs * LOOKUP_SHARE;
    const dispatcher = createGuardedDispatcher({
      ...options,
      resolve: (host) => names.lookUp(orgId, host, lookupTimeoutMs),
    });
    return countedDispatcher(dispatcher, onOutcome);
  }

  #closeIdle(): void {
    const idleSinceMs = this.#options.clock.monotonicMs() - IDLE_MS;
    for (const [orgId, { dispatcher, usedAtMs }] of this.#orgs) {
      if (usedAtMs > idleSinceMs) continue;
      this.#orgs.delete(orgId);
      // Closing lets pending requests finish first.
      dispatcher.close().catch(() => undefined);
    }
  }
}
