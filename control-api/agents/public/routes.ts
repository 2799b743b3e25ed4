import { agentParamsSchema } from "@parley/shared/contracts/agents.ts";
import {
  changePublicAgentSchema,
  leadsQuerySchema,
  leadsResponseSchema,
  publicAgentResponseSchema,
} from "@parley/shared/contracts/public-agents.ts";
import type { FastifyRequest } from "fastify";
import { PUBLIC_AGENTS_MANAGE, READS, WRITES } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { type ChangedBy, changePublicAgent, type PublicAgentDeps, readPublicAgent } from "./public-agents.ts";
import { listLeads } from "./store.ts";

const common = { tags: ["agents"], security: KEY_OR_USER_SECURITY, params: agentParamsSchema };

/** `/api/agents/{id}/public`: manages the agent's public page. */
export function publicAgentRoutes(app: Api, deps: PublicAgentDeps): void {
  app.get(
    "/api/agents/:id/public",
    {
      config: { access: READS },
      schema: {
        ...common,
        summary: "Read how the public may reach an agent",
        response: responses(200, publicAgentResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      return success(await readPublicAgent({ orgId, agentId: request.params.id }, deps));
    },
  );
  app.patch(
    "/api/agents/:id/public",
    {
      config: { access: PUBLIC_AGENTS_MANAGE },
      schema: {
        ...common,
        summary: "Make an agent public or private, or change its public page; what is left out stays",
        body: changePublicAgentSchema,
        response: responses(200, publicAgentResponseSchema),
      },
    },
    async (request) =>
      success(await changePublicAgent(request.params.id, request.body, changedBy(request), deps)),
  );
  app.get(
    "/api/agents/:id/leads",
    {
      // Leads hold strangers' names and addresses: seeing them takes more than read access to agents.
      config: { access: WRITES },
      schema: {
        ...common,
        summary: "List what visitors of an agent's public page said of themselves, the newest first",
        querystring: leadsQuerySchema,
        response: responses(200, leadsResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      return success(await listLeads(deps.database.db, { orgId, agentId: request.params.id }, request.query));
    },
  );
}

function changedBy(request: FastifyRequest): ChangedBy {
  const actor = actorOf(request);
  const by = actor.kind === "key" ? { kind: "key", id: actor.keyId } : { kind: "user", id: actor.userId };
  return { orgId: actor.orgId, actor: by as ChangedBy["actor"], client: clientOf(request) };
}
