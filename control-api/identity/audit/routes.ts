import {
  auditQuerySchema,
  auditResponseSchema,
  orgParamsSchema,
} from "@parley/shared/contracts/organizations.ts";
import { AUDIT_READS } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import type { Reads } from "../../http/reads.ts";
import { type Api, responses, USER_SECURITY } from "../../http/routes.ts";
import { namesIn } from "./names.ts";
import { listAuditEvents } from "./store.ts";

/** `/api/orgs/{orgId}/audit`: the history of credentials, for owners and admins. */
export function auditRoutes(app: Api, { reads }: { readonly reads: Reads }): void {
  app.get(
    "/api/orgs/:orgId/audit",
    {
      config: { access: AUDIT_READS },
      schema: {
        tags: ["organizations"],
        summary: "Read the audit log, newest first",
        security: USER_SECURITY,
        params: orgParamsSchema,
        querystring: auditQuerySchema,
        response: responses(200, auditResponseSchema),
      },
    },
    async (request) => {
      const member = memberOf(request);
      const { rows, names } = await reads.run(member, async (database) => {
        const found = await listAuditEvents(database, member.orgId, request.query);
        return { rows: found, names: await namesIn(database, member.orgId, found) };
      });
      const events = rows.map((row) => ({
        id: row.id,
        at: row.at.toISOString(),
        action: row.action,
        outcome: row.outcome,
        actor: { kind: row.actor_kind, id: row.actor_id },
        userId: row.user_id,
        ip: row.ip,
        userAgent: row.user_agent,
        details: row.details,
      }));
      const isFull = events.length === request.query.limit;
      return {
        success: true as const,
        data: { events, names, nextBefore: isFull ? (events.at(-1)?.id ?? null) : null },
      };
    },
  );
}
