import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "../../database/open.ts";
import { USER_SECURITY } from "../../http/routes.ts";
import type { Audit } from "../../identity/audit/audit.ts";

export interface OperatorRoutesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
}

/** Shared by the schemas of all operator routes. */
export const OPERATOR_ROUTE = { tags: ["operator"], security: USER_SECURITY };
