import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import {
  createdFromTemplateResponseSchema,
  createdTeamResponseSchema,
  createFromTemplateSchema,
  type TemplateList,
  teamTemplateParamsSchema,
  templateParamsSchema,
  templatesResponseSchema,
} from "@parley/shared/contracts/templates.ts";
import { ORG_READS, TEMPLATES_USE } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { AgentDeps } from "../agents/agents.ts";
import { AGENT_TEMPLATES, TEAM_TEMPLATES } from "./catalog.ts";
import { createFromTemplate, createTeamFromTemplate } from "./create.ts";

const common = { tags: ["templates"], security: USER_SECURITY };

/** `/api/orgs/{orgId}/templates`: agents and teams to start from. For people. */
export function templateRoutes(app: Api, deps: AgentDeps): void {
  app.get(
    "/api/orgs/:orgId/templates",
    {
      config: { access: ORG_READS },
      schema: {
        ...common,
        summary: "List the templates of agents and teams",
        params: orgParamsSchema,
        response: responses(200, templatesResponseSchema),
      },
    },
    async () => success(listed()),
  );
  app.post(
    "/api/orgs/:orgId/templates/:templateId/agents",
    {
      config: { access: TEMPLATES_USE },
      schema: {
        ...common,
        summary: "Create an agent from a template",
        params: templateParamsSchema,
        body: createFromTemplateSchema,
        response: responses(201, createdFromTemplateResponseSchema),
      },
    },
    async (request, reply) => {
      const by = { actor: memberOf(request), client: clientOf(request) };
      const { templateId } = request.params;
      const { name } = request.body;
      return reply.status(201).send(success(await createFromTemplate({ templateId, name }, by, deps)));
    },
  );
  app.post(
    "/api/orgs/:orgId/team-templates/:teamId/agents",
    {
      config: { access: TEMPLATES_USE },
      schema: {
        ...common,
        summary: "Create the agents of a team template",
        params: teamTemplateParamsSchema,
        response: responses(201, createdTeamResponseSchema),
      },
    },
    async (request, reply) => {
      const by = { actor: memberOf(request), client: clientOf(request) };
      const { teamId } = request.params;
      return reply.status(201).send(success(await createTeamFromTemplate(teamId, by, deps)));
    },
  );
}

function listed(): TemplateList {
  return {
    agents: AGENT_TEMPLATES.map(({ settings: _, requires, ...template }) => ({
      ...template,
      requires: [...requires],
    })),
    teams: TEAM_TEMPLATES.map(({ agents, requires, ...template }) => ({
      ...template,
      requires: [...requires],
      agents: agents.map(({ ref, name, kind }) => ({ ref, name, kind })),
    })),
  };
}
