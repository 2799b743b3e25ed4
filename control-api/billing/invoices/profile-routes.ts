import { billingProfileResponseSchema, putBillingProfileSchema } from "@parley/shared/contracts/invoices.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import type { Database } from "../../database/open.ts";
import { BILLING_MANAGES } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import { findProfile, putProfile } from "../taxes/store.ts";

export interface ProfileRoutesDeps {
  readonly database: Database;
  readonly audit: Audit;
}

const common = { tags: ["billing"], security: USER_SECURITY, params: orgParamsSchema };
const NOBODY = { legalName: "", address: "", country: "", taxId: "", isExempt: false };

/** `/api/orgs/{orgId}/billing/profile`: who is billed, and by which country's taxes. */
export function profileRoutes(app: Api, { database: { db }, audit }: ProfileRoutesDeps): void {
  const path = "/api/orgs/:orgId/billing/profile";
  app.get(
    path,
    {
      config: { access: BILLING_MANAGES },
      schema: {
        ...common,
        summary: "Read who is billed",
        response: responses(200, billingProfileResponseSchema),
      },
    },
    async (request) => success((await findProfile(db, memberOf(request).orgId)) ?? NOBODY),
  );
  app.put(
    path,
    {
      config: { access: BILLING_MANAGES },
      schema: {
        ...common,
        summary: "Say who is billed from the next invoice on",
        body: putBillingProfileSchema,
        response: responses(200, billingProfileResponseSchema),
      },
    },
    async (request) => {
      const { orgId, userId } = memberOf(request);
      await putProfile(db, orgId, request.body);
      await audit.write({
        action: "billing.profile_set",
        orgId,
        actor: { kind: "user", id: userId },
        client: clientOf(request),
        details: { country: request.body.country },
      });
      return success((await findProfile(db, orgId)) ?? NOBODY);
    },
  );
}
