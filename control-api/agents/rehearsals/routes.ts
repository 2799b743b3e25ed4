import { agentParamsSchema } from "@parley/shared/contracts/agents.ts";
import {
  rehearsalsResponseSchema,
  reportParamsSchema,
  reportsQuerySchema,
  reportsResponseSchema,
} from "@parley/shared/contracts/rehearsals.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import { READS_REHEARSALS } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { findReport, listReports } from "./store.ts";

const common = { tags: ["agents"], security: USER_SECURITY };

/** The results of an agent's rehearsals, for people. */
export function rehearsalReportRoutes(app: Api, { database }: { readonly database: Database }): void {
  app.get(
    "/api/agents/:id/simulations",
    {
      config: { access: READS_REHEARSALS },
      schema: {
        ...common,
        summary: "List the reports of an agent's rehearsals, the newest first",
        params: agentParamsSchema,
        querystring: reportsQuerySchema,
        response: responses(200, reportsResponseSchema),
      },
    },
    async (request) => {
      const of = { orgId: memberOf(request).orgId, agentId: request.params.id };
      return success(await listReports(database.db, of, request.query));
    },
  );
  app.get(
    "/api/agents/:id/simulations/:reportId",
    {
      config: { access: READS_REHEARSALS },
      schema: {
        ...common,
        summary:
          "Read a report of rehearsals: each conversation, and what changed since the agent was another",
        params: reportParamsSchema,
        response: responses(200, rehearsalsResponseSchema),
      },
    },
    async (request) => {
      const { id, reportId } = request.params;
      const report = await findReport(database.db, { orgId: memberOf(request).orgId, agentId: id }, reportId);
      if (report) return success(report);
      throw new AppError("not_found", "There is no such report of this agent in this organization.");
    },
  );
}
