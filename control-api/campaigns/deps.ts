import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "../database/open.ts";
import type { Audit } from "../identity/audit/audit.ts";

/** Shared dependencies of the campaign modules. */
export interface CampaignsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
}
