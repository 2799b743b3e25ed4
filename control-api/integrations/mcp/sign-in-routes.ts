import {
  mcpCallbackSchema,
  mcpConnectionDeletedResponseSchema,
  mcpConnectionParamsSchema,
  mcpConnectionsResponseSchema,
  startedMcpSignInResponseSchema,
  startMcpSignInSchema,
} from "@parley/shared/contracts/mcp.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { AppError } from "@parley/shared/errors.ts";
import { MCP_USES, PUBLIC } from "../../http/access/rules.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import { CONSENT_MS, cookieOf, finishConsent } from "../oauth/consent.ts";
import { consentPage, readCookie } from "../oauth/consent-page.ts";
import type { Grants } from "../oauth/grants.ts";
import { disconnectMcp, mcpConnections } from "./connections.ts";
import { CALLBACK_PATH, CLIENT_DOCUMENT_PATH, clientDocument } from "./sign-in/client.ts";
import { findMcpConnection, setWantedScope } from "./sign-in/connection-store.ts";
import { MCP_CONSENT, type SignInDeps, startSignIn } from "./sign-in/start.ts";

const config = { access: MCP_USES };
const common = { tags: ["mcp"], security: USER_SECURITY };

export interface SignInRouteDeps extends SignInDeps {
  readonly limits: Limits;
  readonly audit: Audit;
  readonly grants: Grants;
}

/** `/api/orgs/{orgId}/mcp`: signing in to tool servers, and what somebody is signed in to. */
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
      const { authorizeUrl, state, browserSecret, mcpConnectionId } = await startSignIn(
        request.body,
        by,
        deps,
      );
      const secure = deps.baseUrl().startsWith("https:") ? "; Secure" : "";
      const cookie = `${cookieOf(state)}=${browserSecret}; Path=/api/public; Max-Age=${CONSENT_MS / 1_000}; HttpOnly; SameSite=Lax${secure}`;
      reply.header("set-cookie", cookie).header("cache-control", "no-store");
      return success({ authorizeUrl, mcpConnectionId });
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
        summary: "Disconnect a remote tool server; every tool that is bound to it stops",
        params: mcpConnectionParamsSchema,
        response: responses(200, mcpConnectionDeletedResponseSchema),
      },
    },
    async (request) => {
      const { orgId, userId } = memberOf(request);
      const { id } = request.params;
      if (!(await disconnectMcp(orgId, id, deps)))
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
  mcpCallbackRoutes(app, deps);
}

/** Where browsers come back to, and what authorization servers read of us. */
function mcpCallbackRoutes(app: Api, deps: SignInRouteDeps): void {
  app.get(
    CALLBACK_PATH,
    { config: { access: PUBLIC }, schema: { hide: true, querystring: mcpCallbackSchema } },
    async (request, reply) => {
      const { cookie } = request.headers;
      const callback = {
        ...request.query,
        kind: MCP_CONSENT,
        cookie: (name: string) => readCookie(cookie, name),
      };
      reply.type("text/html; charset=utf-8").header("cache-control", "no-store");
      try {
        const { flow, at, tokens } = await finishConsent(callback, {
          ...deps,
          dispatchers: deps.egress.to("mcp"),
        });
        const { orgId, connectionId: id, userId } = flow;
        if (!(await findMcpConnection(deps.database, orgId, id)))
          throw new AppError("not_found", "The connection was deleted meanwhile. Begin again.");
        const { client, tokenUrl, revokeUrl, resource } = at;
        await deps.grants.put({ orgId, id }, { client, tokenUrl, revokeUrl, resource }, tokens);
        await setWantedScope(deps.database, { orgId, id, scope: null });
        const details = { mcpConnectionId: id };
        await deps.audit.write({
          action: "mcp.connected",
          orgId,
          userId,
          client: clientOf(request),
          details,
        });
        return reply.send(
          consentPage({ isDone: true, text: "You are signed in. You can close this window." }),
        );
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return reply.status(400).send(consentPage({ isDone: false, text: error.message }));
      }
    },
  );
  app.get(
    CLIENT_DOCUMENT_PATH,
    { config: { access: PUBLIC }, schema: { hide: true } },
    async (_request, reply) => reply.send(clientDocument(deps.baseUrl())),
  );
}
