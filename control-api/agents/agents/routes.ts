import {
  agentDeletedResponseSchema,
  agentParamsSchema,
  agentResponseSchema,
  agentsQuerySchema,
  agentsResponseSchema,
  changeAgentHeadersSchema,
  changeAgentSchema,
  createAgentSchema,
} from "@parley/shared/contracts/agents.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyReply } from "fastify";
import { READS, WRITES } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { type AgentDeps, changeAgent, createAgent, noSuchAgent, removeAgent, toAgent } from "./agents.ts";
import { changeOf, newAgentOf } from "./metadata-tools.ts";
import { findAgent, listAgents, type StoredAgent } from "./store.ts";

const common = { tags: ["agents"], security: KEY_OR_USER_SECURITY };

/** `/api/agents`: who answers calls, and how. */
export function agentRoutes(app: Api, deps: AgentDeps): void {
  readRoutes(app, deps);
  createRoute(app, deps);
  changeRoute(app, deps);
  app.delete(
    "/api/agents/:id",
    {
      config: { access: WRITES },
      schema: {
        ...common,
        summary: "Delete an agent; its calls and versions stay",
        params: agentParamsSchema,
        response: responses(200, agentDeletedResponseSchema),
      },
    },
    async (request) => {
      const { id } = request.params;
      await removeAgent(id, { actor: actorOf(request), client: clientOf(request) }, deps);
      return success({ id });
    },
  );
}

function readRoutes(app: Api, { database }: AgentDeps): void {
  app.get(
    "/api/agents",
    {
      config: { access: READS },
      schema: {
        ...common,
        summary: "List agents, the newest first",
        querystring: agentsQuerySchema,
        response: responses(200, agentsResponseSchema),
      },
    },
    async (request) => {
      const { rows, total } = await listAgents(database, actorOf(request).orgId, request.query);
      return success({ agents: rows.map(toAgent), total });
    },
  );
  app.get(
    "/api/agents/:id",
    {
      config: { access: READS },
      schema: {
        ...common,
        summary: "Read an agent",
        params: agentParamsSchema,
        response: responses(200, agentResponseSchema),
      },
    },
    async (request, reply) => {
      const agent = await findAgent(database, actorOf(request).orgId, request.params.id);
      if (!agent) throw noSuchAgent();
      return answer(reply, agent);
    },
  );
}

function createRoute(app: Api, deps: AgentDeps): void {
  app.post(
    "/api/agents",
    {
      config: { access: WRITES },
      schema: {
        ...common,
        summary: "Create an agent",
        body: createAgentSchema,
        response: responses(201, agentResponseSchema),
      },
    },
    async (request, reply) => {
      const by = { actor: actorOf(request), client: clientOf(request) };
      return answer(reply.status(201), await createAgent(newAgentOf(request.body), by, deps));
    },
  );
}

function changeRoute(app: Api, deps: AgentDeps): void {
  app.patch(
    "/api/agents/:id",
    {
      config: { access: WRITES },
      schema: {
        ...common,
        summary: "Change an agent: a JSON merge patch, which makes a new version",
        params: agentParamsSchema,
        headers: changeAgentHeadersSchema,
        body: changeAgentSchema,
        response: responses(200, agentResponseSchema),
      },
    },
    async (request, reply) => {
      const by = { actor: actorOf(request), client: clientOf(request) };
      const expected = { inHeader: versionsOf(request.headers["if-match"]) };
      const { id } = request.params;
      return answer(reply, await changeAgent({ id, patch: changeOf(request.body), expected }, by, deps));
    },
  );
}

/** Answers with the agent; its version is the entity tag, for `If-Match`. */
function answer(reply: FastifyReply, agent: StoredAgent): FastifyReply {
  return reply.header("etag", `"${agent.version}"`).send(success(toAgent(agent)));
}

/** Parses `"3"`, a list, or `*`, which matches any version; accepts a bare 3, too. */
function versionsOf(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === "*") return undefined;
  const tags = ifMatch.split(",").map((tag) => /^(?:W\/)?("?)(\d{1,9})\1$/.exec(tag.trim())?.[2]);
  const versions = tags.flatMap((tag) => (tag === undefined ? [] : [Number(tag)]));
  if (versions.length === tags.length) return versions;
  throw new AppError("bad_request", 'The header If-Match must be a version of the agent, for example "3".');
}
