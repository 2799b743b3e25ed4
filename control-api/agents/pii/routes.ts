import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import {
  piiPolicyResponseSchema,
  piiPolicySchema,
  triedPiiPolicyResponseSchema,
  tryPiiPolicySchema,
} from "@parley/shared/contracts/pii.ts";
import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import type { Database } from "../../database/open.ts";
import { PII_MANAGES } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import { selectPiiPolicy, updatePiiPolicy } from "./store.ts";

export interface PiiRoutesDeps {
  readonly database: Database;
  readonly audit: Audit;
}

/** `/api/orgs/{orgId}/pii-policy`: what future calls mask before anything is stored or sent. */
export function piiRoutes(app: Api, { database, audit }: PiiRoutesDeps): void {
  const request = { tags: ["organizations"], security: USER_SECURITY, params: orgParamsSchema };
  const common = { ...request, response: responses(200, piiPolicyResponseSchema) };
  app.post(
    "/api/orgs/:orgId/pii-policy/try",
    {
      config: { access: PII_MANAGES },
      schema: {
        ...request,
        summary: "See what a policy would mask in a text; neither is kept",
        body: tryPiiPolicySchema,
        response: responses(200, triedPiiPolicyResponseSchema),
      },
    },
    async ({ body }) => success({ masked: new Scrubber(body.policy).text(body.text) }),
  );
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
