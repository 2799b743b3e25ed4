import { agentParamsSchema } from "@parley/shared/contracts/agents.ts";
import { publicLinkResponseSchema, setPublicSchema } from "@parley/shared/contracts/public-agents.ts";
import {
  changePublicAgent,
  type PublicAgentDeps,
  readPublicAgent,
} from "../../agents/public/public-agents.ts";
import { APP_BACKENDS } from "../../http/access/rules.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success } from "../../http/routes.ts";
import { linkOf } from "../methods/public-links.ts";
import { backendOf } from "./backend.ts";

const PATH = "/api/app-agents/:id/public";
const common = { tags: ["app backends"], security: [{ appKey: [] }], params: agentParamsSchema };

/** `/api/app-agents/{id}/public`: `agents.publicLink` and `agents.setPublic` for an app's own backend. */
export function appAgentRoutes(app: Api, deps: PublicAgentDeps): void {
  app.get(
    PATH,
    {
      config: { access: APP_BACKENDS },
      schema: {
        ...common,
        summary: "Read how the public may reach an agent, as an app's backend; needs scope agents:read",
        response: responses(200, publicLinkResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = await backendOf(request, "agents:read", deps);
      return success(linkOf(await readPublicAgent({ orgId, agentId: request.params.id }, deps)));
    },
  );
  app.put(
    PATH,
    {
      config: { access: APP_BACKENDS },
      schema: {
        ...common,
        summary: "Make an agent public or private, as an app's backend; needs scope agents:write",
        body: setPublicSchema,
        response: responses(200, publicLinkResponseSchema),
      },
    },
    async (request) => {
      const { orgId, keyId } = await backendOf(request, "agents:write", deps);
      const by = { orgId, actor: { kind: "key", id: keyId }, client: clientOf(request) } as const;
      return success(linkOf(await changePublicAgent(request.params.id, request.body, by, deps)));
    },
  );
}
