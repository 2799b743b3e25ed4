import {
  endedResponseSchema,
  type InitWebCall,
  type InitWebCallBody,
  initWebCallBodySchema,
  initWebCallSchema,
  sessionParamsSchema,
  streamResponseSchema,
  type WebCall,
  webCallResponseSchema,
} from "@parley/shared/contracts/sessions.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Caller } from "../../agents/agents/agent-for-call.ts";
import { callOfToken, type TokenCall } from "../../agents/client-tokens/client-tokens.ts";
import { PUBLIC, STREAM_OPENS, WEB_CALLS, WRITES } from "../../http/access/rules.ts";
import { type Intend, idempotencyHeadersSchema } from "../../http/idempotency/once.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Client, clientOf } from "../../http/plugins/client.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import type { ChatDeps } from "../chat/chat-deps.ts";
import { createOnce } from "./create-once.ts";
import { endSession } from "./end-session.ts";
import { initWebCall, recoverWebCall } from "./init-web-call.ts";
import { openStream } from "./open-stream.ts";
import type { SessionDeps } from "./prepare-call.ts";

const INIT_WEB_CALL = "/api/sessions/init-web-call";
/** CORS preflight for pages that send a client token. */
const PREFLIGHT = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "authorization, content-type, idempotency-key",
  "access-control-max-age": "600",
};

/**
 * A page may give one client token to all of its visitors, who then send identical requests: the key alone tells their
 * calls apart, so it must not be guessable or collide.
 */
const UNGUESSABLE_KEY = z.uuidv4().optional();

export interface SessionRoutesDeps extends SessionDeps {
  readonly audit: Audit;
  readonly chat: ChatDeps;
}

/** `/api/sessions`: creating, watching and ending calls. */
export function sessionRoutes(app: Api, deps: SessionRoutesDeps): void {
  app.options(INIT_WEB_CALL, { config: { access: PUBLIC }, schema: { hide: true } }, async (_, reply) =>
    reply.status(204).headers(PREFLIGHT).send(),
  );
  app.post(
    INIT_WEB_CALL,
    {
      config: { access: WEB_CALLS },
      // Pages of other origins redeem client tokens and must be able to read a refusal; no cookie is at stake.
      onSend: async (_request, reply) => void reply.header("access-control-allow-origin", "*"),
      schema: {
        tags: ["sessions"],
        summary: "Create a web-call session; with an Idempotency-Key once",
        security: KEY_OR_USER_SECURITY,
        headers: idempotencyHeadersSchema,
        body: initWebCallBodySchema,
        response: responses(200, webCallResponseSchema),
      },
    },
    async (request, reply) => {
      const { headers, body } = request;
      const { principal, orgId, create } = await wantedCall(request, body ?? {}, deps);
      const { result, isReplayed } = await createOnce(
        { principal, route: INIT_WEB_CALL, headers, body },
        { create, recover: (sessionId) => recoverWebCall(sessionId, orgId, deps) },
        deps,
      );
      if (!isReplayed) return success(result);
      reply.header("idempotency-replayed", "true");
      // Its ticket expires after a minute.
      return success((await recoverWebCall(result.sessionId, orgId, deps)) ?? result);
    },
  );

  app.post(
    "/api/sessions/:id/stream",
    {
      config: { access: STREAM_OPENS },
      schema: {
        tags: ["sessions"],
        summary: "Get a socket address to watch a live call at",
        security: KEY_OR_USER_SECURITY,
        params: sessionParamsSchema,
        response: responses(200, streamResponseSchema),
      },
    },
    async (request) => {
      const streamUrl = await openStream(request.params.id, actorOf(request), deps);
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

interface WantedCall {
  /** Owner of the `Idempotency-Key`. */
  readonly principal: string;
  readonly orgId: string;
  readonly create: (intend: Intend) => Promise<WebCall>;
}

/** Resolves who requests which call. Throws `AppError` validation_failed, and what `callOfToken` throws. */
async function wantedCall(
  request: FastifyRequest,
  body: InitWebCallBody,
  deps: SessionRoutesDeps,
): Promise<WantedCall> {
  const { principal, headers } = request;
  if (principal?.kind === "client") {
    const token = await callOfToken(principal.tokenHash, { origin: headers.origin, body }, deps);
    assertUnguessable(headers["idempotency-key"]);
    return {
      principal: `client:${token.clientTokenId}`,
      orgId: token.caller.orgId,
      create: (intend) => redeem(token, { intend, client: clientOf(request) }, deps),
    };
  }
  const caller = actorOf(request);
  const call = parseCall(body);
  return {
    principal: `${caller.orgId}:${caller.userId}`,
    orgId: caller.orgId,
    create: (intend) => createWebCall(call, caller, { ...deps, intend }),
  };
}

/** Until its address is handed out, the call costs nothing and nobody can connect: only that must happen once. */
async function createWebCall(
  call: InitWebCall,
  caller: Caller,
  { intend, ...deps }: SessionRoutesDeps & { readonly intend: Intend },
): Promise<WebCall> {
  const { sessionId, websocketUrl } = await initWebCall(call, caller, deps);
  await intend(sessionId);
  return { sessionId, websocketUrl };
}

async function redeem(
  { use, undo, call, caller, clientTokenId }: TokenCall,
  { intend, client }: { readonly intend: Intend; readonly client: Client },
  deps: SessionRoutesDeps,
): Promise<WebCall> {
  const { orgId, userId } = caller;
  const tell = async (sessionId: string): Promise<void> => {
    const details = { clientTokenId, sessionId };
    await deps.audit.write({ action: "client_token.redeemed", orgId, userId, client, details });
    await intend(sessionId);
  };
  await use();
  try {
    return await createWebCall(call, caller, { ...deps, intend: tell });
  } catch (error) {
    await undo();
    throw error;
  }
}

/** Responds the same whether or not the key was used. */
function assertUnguessable(key: unknown): void {
  if (UNGUESSABLE_KEY.safeParse(key).success) return;
  const message =
    "With a client token the Idempotency-Key has to be a random UUID (version 4), made again for each call: crypto.randomUUID().";
  throw new AppError("validation_failed", message);
}

function parseCall(body: InitWebCallBody): InitWebCall {
  if (body.agentId === undefined)
    throw new AppError("validation_failed", "Invalid body: agentId is required.");
  return initWebCallSchema.parse(body);
}
