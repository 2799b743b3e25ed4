import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import {
  GuardedDispatchers,
  type GuardedDispatchersOptions,
} from "@parley/shared/net/guarded-dispatchers.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../database/open.ts";
import { Carriers } from "./connections/carriers.ts";
import type { CarrierReach } from "./connections/create-carrier.ts";

const CONNECT_TIMEOUT_MS = 5_000;
/** Of one organization. */
const CONNECTIONS_PER_HOST = 64;
const KEEP_ALIVE_MS = 4_000;

export interface CarrierParts {
  readonly carriers: Carriers;
  readonly reach: CarrierReach;
}

/** What reaches carriers, put together. Their addresses are the operator's; private ones have to be opened all the same. */
export function openCarriers(
  deps: {
    readonly config: Pick<Config, "carriers">;
    readonly database: Database;
    readonly clock: Clock;
    readonly secrets: SecretBox;
  } & Pick<GuardedDispatchersOptions, "allowPrivateTargets" | "names">,
): CarrierParts & { close: () => Promise<void> } {
  const { config, database, clock, secrets, allowPrivateTargets, names } = deps;
  const dispatchers = new GuardedDispatchers({
    allowPrivateTargets,
    names,
    clock,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    connectionsPerHost: CONNECTIONS_PER_HOST,
    keepAliveMs: KEEP_ALIVE_MS,
  });
  const reach = { apiUrls: config.carriers.apiUrls, dispatchers, clock };
  return { carriers: new Carriers({ database, secrets, reach }), reach, close: () => dispatchers.close() };
}
