import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../database/open.ts";
import { Carriers } from "./connections/carriers.ts";
import type { CarrierReach } from "./connections/create-carrier.ts";

export interface CarrierParts {
  readonly carriers: Carriers;
  readonly reach: CarrierReach;
}

/** Assembles the carriers. */
export function openCarriers({
  config,
  database,
  clock,
  secrets,
  egress,
}: {
  readonly config: Pick<Config, "carriers">;
  readonly database: Database;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly egress: Pick<Egress, "to">;
}): CarrierParts {
  const reach = { apiUrls: config.carriers.apiUrls, dispatchers: egress.to("carrier"), clock };
  return { carriers: new Carriers({ database, secrets, reach }), reach };
}
