import {
  connectMcpSchema,
  mcpConnectionDeletedResponseSchema,
  mcpConnectionParamsSchema,
  mcpConnectionResponseSchema,
  mcpConnectionsResponseSchema,
  mcpDisconnectQuerySchema,
  startedMcpSignInResponseSchema,
  startMcpSignInSchema,
} from "@parley/shared/contracts/mcp.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { ROLES } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { MCP_USES, PUBLIC } from "../../http/access/rules.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import type { Consented } from "../oauth/consent.ts";
import { consentCallback, consentCookie } from "../oauth/consent-callback.ts";
import type { Grants } from "../oauth/grants.ts";
import { disconnectMcp, mcpConnections } from "./connections.ts";
import { CALLBACK_PATH, CLIENT_DOCUMENT_PATH, clientDocument } from "./sign-in/client.ts";
import { findMcpConnection, setWantedScope } from "./sign-in/connection-store.ts";
import { MCP_CONSENT, type SignInDeps, startSignIn } from "./sign-in/start.ts";
import { connectByToken } from "./token-connections.ts";

const config = { access: MCP_USES };
const common = { tags: ["mcp"], security: USER_SECURITY };

export interface SignInRouteDeps extends SignInDeps {
  readonly limits: Limits;
  readonly audit: Audit;
  readonly grants: Grants;
}

/** `/api/orgs/{orgId}/mcp`: sign-ins to tool servers, and the connections they make. */
export function mcpSignInRoutes(app: Api, deps: SignInRouteDeps): void {
  const path = "/api/orgs/:orgId/mcp";
  app.post(
    `${path}/oauth/start`,
    {
      config,
      schema: {
        ...common,
        summary: "Begin to sign in to a remote tool server",
        params: orgParamsSchema,
        body: startMcpSignInSchema,
        response: responses(200, startedMcpSignInResponseSchema),
      },
    },
    async (request, reply) => {
      const by = memberOf(request);
      await deps.limits.take("mcp_requests_per_organization", by.orgId);
      const { authorizeUrl, mcpConnectionId, ...begun } = await startSignIn(request.body, by, deps);
      const cookie = consentCookie(begun, deps.baseUrl());
      reply.header("set-cookie", cookie).header("cache-control", "no-store");
      return success({ authorizeUrl, mcpConnectionId });
    },
  );
  mcpConnectionRoutes(app, path, deps);
  mcpCallbackRoutes(app, deps);
}

/** The organization's connections. */
function mcpConnectionRoutes(app: Api, path: "/api/orgs/:orgId/mcp", deps: SignInRouteDeps): void {
  app.post(
    `${path}/connections`,
    {
      config,
      schema: {
        ...common,
        summary: "Connect a remote tool server by a token of its vendor",
        params: orgParamsSchema,
        body: connectMcpSchema,
        response: responses(201, mcpConnectionResponseSchema),
      },
    },
    async (request, reply) => {
      const by = memberOf(request);
      await deps.limits.take("mcp_requests_per_organization", by.orgId);
      const connection = await connectByToken(request.body, by, deps);
      await deps.audit.write({
        action: "mcp.connected",
        orgId: by.orgId,
        userId: by.userId,
        client: clientOf(request),
        details: { mcpConnectionId: connection.id },
      });
      return reply.status(201).send(success({ connection }));
    },
  );
  app.get(
    `${path}/connections`,
    {
      config,
      schema: {
        ...common,
        summary: "List the remote tool servers that somebody signed in to",
        params: orgParamsSchema,
        response: responses(200, mcpConnectionsResponseSchema),
      },
    },
    async (request) => {
      const connections = await mcpConnections(memberOf(request).orgId, deps);
      return success({ connections, total: connections.length });
    },
  );
  app.delete(
    `${path}/connections/:id`,
    {
      config,
      schema: {
        ...common,
        summary: "Disconnect a remote tool server; tools that agents have of it stop, unless force is false",
        params: mcpConnectionParamsSchema,
        querystring: mcpDisconnectQuerySchema,
        response: responses(200, mcpConnectionDeletedResponseSchema),
      },
    },
    async (request) => {
      const { orgId, userId } = memberOf(request);
      const { id } = request.params;
      const force = request.query.force !== "false";
      if (!(await disconnectMcp({ orgId, id, force }, deps)))
        throw new AppError("not_found", "There is no such connection in this organization.");
      const details = { mcpConnectionId: id };
      await deps.audit.write({
        action: "mcp.disconnected",
        orgId,
        userId,
        client: clientOf(request),
        details,
      });
      return success({ id });
    },
  );
}

/** The callback for browsers, and the client document that authorization servers read. */
function mcpCallbackRoutes(app: Api, deps: SignInRouteDeps): void {
  const land = (consented: Consented, request: FastifyRequest) => landSignIn(consented, request, deps);
  const end = { kind: MCP_CONSENT, roles: ROLES, path: CALLBACK_PATH, land };
  consentCallback(app, end, { ...deps, dispatchers: deps.egress.to("mcp") });
  app.get(
    CLIENT_DOCUMENT_PATH,
    { config: { access: PUBLIC }, schema: { hide: true } },
    async (_request, reply) => reply.send(clientDocument(deps.baseUrl())),
  );
}

async function landSignIn(
  { flow, at, tokens }: Consented,
  request: FastifyRequest,
  deps: SignInRouteDeps,
): Promise<undefined> {
  const { orgId, connectionId: id, userId } = flow;
  if (!(await findMcpConnection(deps.database, orgId, id)))
    throw new AppError("not_found", "The connection was deleted in the meantime. Start again.");
  const { client, tokenUrl, revokeUrl, resource } = at;
  await deps.grants.put({ orgId, id }, { client, tokenUrl, revokeUrl, resource }, tokens);
  await setWantedScope(deps.database, { orgId, id, scope: null });
  const details = { mcpConnectionId: id };
  await deps.audit.write({ action: "mcp.connected", orgId, userId, client: clientOf(request), details });
}
