import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import {
  changeRetentionSchema,
  type Retention,
  retentionResponseSchema,
} from "@parley/shared/contracts/retention.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import { ORG_READS, RETENTION_CHANGES } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import { type StoredRetention, selectRetention, updateRetention } from "./store.ts";

export interface RetentionDeps {
  readonly database: Database;
  readonly audit: Audit;
  /** RECORDING_RETENTION_DAYS. */
  readonly defaultDays: number;
}

const gone = () => new AppError("not_found", "The organization no longer exists.");

/** `/api/orgs/{orgId}/retention`: how long recordings and transcripts are kept, and whether anything may be deleted. */
export function retentionRoutes(app: Api, { database, audit, defaultDays }: RetentionDeps): void {
  const common = {
    tags: ["organizations"],
    security: USER_SECURITY,
    params: orgParamsSchema,
    response: responses(200, retentionResponseSchema),
  };
  const shown = (stored: StoredRetention): Retention => ({ ...stored, defaultDays });
  app.get(
    "/api/orgs/:orgId/retention",
    { config: { access: ORG_READS }, schema: { ...common, summary: "Read how long calls are kept" } },
    async (request) => {
      const stored = await selectRetention(database, memberOf(request).orgId);
      if (!stored) throw gone();
      return success(shown(stored));
    },
  );
  app.patch(
    "/api/orgs/:orgId/retention",
    {
      config: { access: RETENTION_CHANGES },
      schema: {
        ...common,
        summary: "Say how long calls are kept, or begin or end a legal hold",
        body: changeRetentionSchema,
      },
    },
    async (request) => {
      const { orgId, userId } = memberOf(request);
      const changed = await updateRetention(database, orgId, request.body);
      if (!changed) throw gone();
      await audit.write({
        action: "retention.changed",
        orgId,
        actor: { kind: "user", id: userId },
        client: clientOf(request),
        details: { before: changed.before, after: changed.after },
      });
      return success(shown(changed.after));
    },
  );
}
