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
  /** What became of each request. */
  readonly onOutcome: (outcome: EgressOutcome) => void;
}

/** What is left of the time for a connection when the name took as long as it may. */
const LOOKUP_SHARE = 0.8;
/** An organization that sent nothing for so long starts over with new connections. */
const IDLE_MS = 5 * 60_000;

/** A guarded dispatcher for each organization, made when it is first needed. */
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

  /** Resolves when what is under way is over. */
  async close(): Promise<void> {
    await Promise.all(this.#takeAll().map((dispatcher) => dispatcher.close()));
  }

  /** Breaks off what is under way. */
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
      // What is under way is finished first.
      dispatcher.close().catch(() => undefined);
    }
  }
}
