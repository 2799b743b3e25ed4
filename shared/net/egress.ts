import type { Metrics } from "../metrics.ts";
import type { Dispatchers } from "./dispatchers.ts";
import { EGRESS_PURPOSES, type EgressPurpose } from "./egress-purposes.ts";
import { GuardedDispatchers, type GuardedDispatchersOptions } from "./guarded-dispatchers.ts";
import { GuardedSockets } from "./guarded-sockets.ts";
import type { Sockets } from "./sockets.ts";

export type { Dispatchers };

const ANY_ADDRESS = ["0.0.0.0/0", "::/0"];

export interface EgressDeps
  extends Pick<GuardedDispatchersOptions, "allowPrivateTargets" | "names" | "clock"> {
  readonly metrics: Pick<Metrics, "egressRequestsTotal">;
}

/**
 * The only way out of a process to addresses given by customers or carriers: guarded, with the limits of
 * `EGRESS_PURPOSES` for each purpose, and with separate connections for each organization.
 */
export class Egress {
  readonly #deps: EgressDeps;
  readonly #opened = new Map<EgressPurpose, GuardedDispatchers>();
  readonly #sockets = new Map<EgressPurpose, GuardedSockets>();

  constructor(deps: EgressDeps) {
    this.#deps = deps;
  }

  /** The result may be kept for as long as the process lives. */
  to(purpose: EgressPurpose): Dispatchers {
    const known = this.#opened.get(purpose);
    if (known) return known;
    const opened = this.#open(purpose);
    this.#opened.set(purpose, opened);
    return opened;
  }

  /** Sockets for protocols other than HTTP, with the same rules and limits; may be kept like the result of `to`. */
  socketsTo(purpose: EgressPurpose): Sockets {
    const known = this.#sockets.get(purpose);
    if (known) return known;
    const opened = new GuardedSockets(this.#optionsOf(purpose));
    this.#sockets.set(purpose, opened);
    return opened;
  }

  /** Closes the connections of all purposes; resolves once pending requests are done. */
  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map((dispatchers) => dispatchers.close()));
  }

  /** Aborts pending requests of one purpose and leaves the others alone. */
  async destroy(purpose: EgressPurpose): Promise<void> {
    this.#sockets.get(purpose)?.destroy();
    await this.#opened.get(purpose)?.destroy();
  }

  #open(purpose: EgressPurpose): GuardedDispatchers {
    return new GuardedDispatchers(this.#optionsOf(purpose));
  }

  #optionsOf(purpose: EgressPurpose): GuardedDispatchersOptions {
    const { metrics, allowPrivateTargets, ...deps } = this.#deps;
    const { isTrusted, isHttpsOnlyInProduction, ...limits } = EGRESS_PURPOSES[purpose];
    return {
      ...deps,
      ...limits,
      allowPrivateTargets: isTrusted ? ANY_ADDRESS : allowPrivateTargets,
      isHttpsOnly: isHttpsOnlyInProduction === true && allowPrivateTargets.length === 0,
      onOutcome: (outcome) => metrics.egressRequestsTotal.inc({ purpose, outcome }),
    };
  }
}
