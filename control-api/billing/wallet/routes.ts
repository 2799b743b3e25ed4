import type { Clock } from "@parley/shared/clock.ts";
import {
  billingResponseSchema,
  limitDeletedResponseSchema,
  limitParamsSchema,
  limitResponseSchema,
  putLimitSchema,
} from "@parley/shared/contracts/billing.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import { BILLING_MANAGES } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import { setLimit } from "../limits/put-limit.ts";
import { deleteLimit } from "../limits/store.ts";
import { toShown } from "../limits/to-shown.ts";
import { readBilling } from "./read-billing.ts";

export interface BillingRoutesDeps {
  readonly isOn: boolean;
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
}

const common = { tags: ["billing"], security: USER_SECURITY };

/** `/api/orgs/{orgId}/billing`: balance and spending limits, for billing managers. */
export function billingRoutes(app: Api, deps: BillingRoutesDeps): void {
  app.get(
    "/api/orgs/:orgId/billing",
    {
      config: { access: BILLING_MANAGES },
      schema: {
        ...common,
        summary: "Read the balance, what was spent, and the spending limits",
        params: orgParamsSchema,
        response: responses(200, billingResponseSchema),
      },
    },
    async (request) => {
      const { isOn, database, clock } = deps;
      const now = new Date(clock.wallMs());
      return success(await readBilling(database.db, memberOf(request).orgId, { isOn, now }));
    },
  );
  limitRoutes(app, deps);
}

function limitRoutes(app: Api, { database, clock, audit }: BillingRoutesDeps): void {
  app.put(
    "/api/orgs/:orgId/billing/limits",
    {
      config: { access: BILLING_MANAGES },
      schema: {
        ...common,
        summary: "Set a spending limit, in the place of the one of its scope, period and kind",
        params: orgParamsSchema,
        body: putLimitSchema,
        response: responses(200, limitResponseSchema),
      },
    },
    async (request) => {
      const { orgId, userId } = memberOf(request);
      const at = new Date(clock.wallMs());
      const limit = await setLimit(database, { orgId, limit: request.body, at });
      await audit.write({
        action: "billing.limit_set",
        orgId,
        actor: { kind: "user", id: userId },
        client: clientOf(request),
        details: { id: limit.id, ...request.body },
      });
      return success(await toShown(database.db, orgId, { limit, now: at }));
    },
  );
  app.delete(
    "/api/orgs/:orgId/billing/limits/:id",
    {
      config: { access: BILLING_MANAGES },
      schema: {
        ...common,
        summary: "Delete a spending limit",
        params: limitParamsSchema,
        response: responses(200, limitDeletedResponseSchema),
      },
    },
    async (request) => {
      const { orgId, userId } = memberOf(request);
      const { id } = request.params;
      if (!(await deleteLimit(database.db, orgId, id)))
        throw new AppError("not_found", "There is no such limit in this organization.");
      await audit.write({
        action: "billing.limit_deleted",
        orgId,
        actor: { kind: "user", id: userId },
        client: clientOf(request),
        details: { id },
      });
      return success({ id, deleted: true as const });
    },
  );
}
