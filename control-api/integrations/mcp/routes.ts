import {
  mcpDirectoryResponseSchema,
  verifyMcpResponseSchema,
  verifyMcpSchema,
} from "@parley/shared/contracts/mcp.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { MCP_USES } from "../../http/access/rules.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { MCP_CATEGORIES, MCP_DIRECTORY } from "./directory.ts";
import { type VerifyDeps, verifyServer } from "./verify.ts";

const config = { access: MCP_USES };
const common = { tags: ["mcp"], security: USER_SECURITY, params: orgParamsSchema };

export interface McpRouteDeps extends VerifyDeps {
  readonly limits: Limits;
}

/** `/api/orgs/{orgId}/mcp`: remote tool servers, for any member. */
export function mcpRoutes(app: Api, deps: McpRouteDeps): void {
  const path = "/api/orgs/:orgId/mcp";
  app.post(
    `${path}/verify`,
    {
      config,
      schema: {
        ...common,
        summary: "Connect to a remote tool server and list its tools",
        body: verifyMcpSchema,
        response: responses(200, verifyMcpResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = memberOf(request);
      await deps.limits.take("mcp_requests_per_organization", orgId);
      return success(await verifyServer(request.body, orgId, deps));
    },
  );
  app.get(
    `${path}/directory`,
    {
      config,
      schema: {
        ...common,
        summary: "List well-known remote tool servers",
        response: responses(200, mcpDirectoryResponseSchema),
      },
    },
    async () => {
      const servers = [...MCP_DIRECTORY];
      return success({ servers, categories: [...MCP_CATEGORIES], total: servers.length });
    },
  );
}
