import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { piiPolicyResponseSchema, piiPolicySchema } from "@parley/shared/contracts/pii.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { PII_MANAGES } from "../access/rules.ts";
import type { Audit } from "../audit/audit.ts";
import { memberOf } from "../plugins/access.ts";
import { clientOf } from "../plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../routes.ts";
import { selectPiiPolicy, updatePiiPolicy } from "./store.ts";

export interface PiiRoutesDeps {
  readonly database: Database;
  readonly audit: Audit;
}

/** `/api/orgs/{orgId}/pii-policy`: what is masked in calls to come before anything of them is kept or sent. */
export function piiRoutes(app: Api, { database, audit }: PiiRoutesDeps): void {
  const common = {
    tags: ["organizations"],
    security: USER_SECURITY,
    params: orgParamsSchema,
    response: responses(200, piiPolicyResponseSchema),
  };
  app.get(
    "/api/orgs/:orgId/pii-policy",
    { config: { access: PII_MANAGES }, schema: { ...common, summary: "Read what is masked in calls" } },
    async (request) => success(await selectPiiPolicy(database, memberOf(request).orgId)),
  );
  app.put(
    "/api/orgs/:orgId/pii-policy",
    {
      config: { access: PII_MANAGES },
      schema: { ...common, summary: "Say what is masked in calls from now on", body: piiPolicySchema },
    },
    async (request) => {
      const { orgId, userId } = memberOf(request);
      const { rules, patterns } = request.body;
      await updatePiiPolicy(database, orgId, request.body);
      await audit.write({
        action: "pii_policy.changed",
        orgId,
        actor: { kind: "user", id: userId },
        client: clientOf(request),
        details: { rules: rules.map(({ rule }) => rule), patterns: patterns.map(({ name }) => name) },
      });
      return success(request.body);
    },
  );
}
