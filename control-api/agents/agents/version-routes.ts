import {
  agentParamsSchema,
  agentVersionParamsSchema,
  agentVersionResponseSchema,
  agentVersionsQuerySchema,
  agentVersionsResponseSchema,
} from "@parley/shared/contracts/agents.ts";
import { AppError } from "@parley/shared/errors.ts";
import { READS } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { type AgentDeps, noSuchAgent, toVersion } from "./agents.ts";
import { findVersion, listVersions } from "./store.ts";

const common = { tags: ["agents"], security: KEY_OR_USER_SECURITY };

/** The versions of an agent, and the version a call ran with; both outlive the agent. */
export function agentVersionRoutes(app: Api, { database }: Pick<AgentDeps, "database">): void {
  app.get(
    "/api/agents/:id/versions",
    {
      config: { access: READS },
      schema: {
        ...common,
        summary: "List an agent's versions, the newest first",
        params: agentParamsSchema,
        querystring: agentVersionsQuerySchema,
        response: responses(200, agentVersionsResponseSchema),
      },
    },
    async (request) => {
      const of = { orgId: actorOf(request).orgId, agentId: request.params.id };
      const { rows, total } = await listVersions(database, of, request.query);
      if (total === 0) throw noSuchAgent();
      return success({ versions: rows.map(toVersion), total });
    },
  );
  app.get(
    "/api/agents/:id/versions/:version",
    {
      config: { access: READS },
      schema: {
        ...common,
        summary: "Read a version of an agent",
        params: agentVersionParamsSchema,
        response: responses(200, agentVersionResponseSchema),
      },
    },
    async (request) => {
      const { id, version } = request.params;
      const row = await findVersion(database, { orgId: actorOf(request).orgId, agentId: id }, version);
      if (!row)
        throw new AppError(
          "not_found",
          `There is no version ${version} of such an agent in this organization.`,
        );
      return success(toVersion(row));
    },
  );
}
