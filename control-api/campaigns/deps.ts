import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "../database/open.ts";
import type { Audit } from "../identity/audit/audit.ts";

/** What the parts of campaigns use. */
export interface CampaignsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
}
