import {
  endedResponseSchema,
  type InitWebCall,
  type InitWebCallBody,
  initWebCallBodySchema,
  initWebCallSchema,
  sessionParamsSchema,
  streamResponseSchema,
  webCallResponseSchema,
} from "@parley/shared/contracts/sessions.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { PUBLIC, READS, WEB_CALLS, WRITES } from "../access/rules.ts";
import type { Audit } from "../audit/audit.ts";
import type { ChatDeps } from "../chat/chat-deps.ts";
import { redeemClientToken } from "../client-tokens/client-tokens.ts";
import { actorOf } from "../plugins/access.ts";
import { clientOf } from "../plugins/client.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../routes.ts";
import { endSession } from "./end-session.ts";
import { initWebCall } from "./init-web-call.ts";
import { openStream } from "./open-stream.ts";
import type { SessionDeps } from "./prepare-call.ts";

/** What a page of another origin may send with a client token. */
const PREFLIGHT = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "authorization, content-type",
  "access-control-max-age": "600",
};

export interface SessionRoutesDeps extends SessionDeps {
  readonly audit: Audit;
  readonly chat: ChatDeps;
}

/** `/api/sessions`: creating, watching and ending calls (spec 1, "Sessions"). */
export function sessionRoutes(app: Api, deps: SessionRoutesDeps): void {
  app.options(
    "/api/sessions/init-web-call",
    { config: { access: PUBLIC }, schema: { hide: true } },
    async (_, reply) => reply.status(204).headers(PREFLIGHT).send(),
  );
  app.post(
    "/api/sessions/init-web-call",
    {
      config: { access: WEB_CALLS },
      // Pages of other origins redeem client tokens and must be able to read a refusal; there is no cookie to lend.
      onSend: async (_request, reply) => void reply.header("access-control-allow-origin", "*"),
      schema: {
        tags: ["sessions"],
        summary: "Create a web-call session",
        security: KEY_OR_USER_SECURITY,
        body: initWebCallBodySchema,
        response: responses(200, webCallResponseSchema),
      },
    },
    async (request) => {
      const { sessionId, websocketUrl } = await createWebCall(request, request.body ?? {}, deps);
      return success({ sessionId, websocketUrl });
    },
  );

  app.post(
    "/api/sessions/:id/stream",
    {
      config: { access: READS },
      schema: {
        tags: ["sessions"],
        summary: "Get a socket address to watch a live call at",
        security: KEY_OR_USER_SECURITY,
        params: sessionParamsSchema,
        response: responses(200, streamResponseSchema),
      },
    },
    async (request) => {
      const streamUrl = await openStream(request.params.id, actorOf(request).orgId, deps);
      return { success: true as const, data: { streamUrl } };
    },
  );

  app.delete(
    "/api/sessions/:id",
    {
      config: { access: WRITES },
      schema: {
        tags: ["sessions"],
        summary: "End a live call or chat",
        security: KEY_OR_USER_SECURITY,
        params: sessionParamsSchema,
        response: responses(200, endedResponseSchema),
      },
    },
    async (request) => {
      const sessionId = request.params.id;
      await endSession(sessionId, actorOf(request).orgId, deps);
      return { success: true as const, data: { sessionId, status: "ended" as const } };
    },
  );
}

async function createWebCall(request: FastifyRequest, body: InitWebCallBody, deps: SessionRoutesDeps) {
  const { principal, headers } = request;
  if (principal?.kind !== "client") return initWebCall(parseCall(body), actorOf(request), deps);
  const redeemed = await redeemClientToken(principal.tokenHash, { origin: headers.origin, body }, deps);
  try {
    const call = await initWebCall(redeemed.call, redeemed.caller, deps);
    const { orgId, userId } = redeemed.caller;
    const details = { clientTokenId: redeemed.clientTokenId, sessionId: call.sessionId };
    const client = clientOf(request);
    await deps.audit.write({ action: "client_token.redeemed", orgId, userId, client, details });
    return call;
  } catch (error) {
    await redeemed.undo();
    throw error;
  }
}

function parseCall(body: InitWebCallBody): InitWebCall {
  if (body.agentId === undefined)
    throw new AppError("validation_failed", "The body is wrong. agentId: required.");
  return initWebCallSchema.parse(body);
}
