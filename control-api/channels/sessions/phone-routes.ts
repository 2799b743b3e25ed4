import { sessionParamsSchema } from "@parley/shared/contracts/sessions.ts";
import {
  initiateCallSchema,
  initManualCallSchema,
  manualCallResponseSchema,
  placedCallResponseSchema,
  playedResponseSchema,
  playSchema,
  transferredResponseSchema,
} from "@parley/shared/contracts/telephony.ts";
import { transferOrderSchema } from "@parley/shared/contracts/transfers.ts";
import { PLACES_CALLS, WRITES } from "../../http/access/rules.ts";
import { idempotencyHeadersSchema } from "../../http/idempotency/once.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { createOnce } from "./create-once.ts";
import { initManualCall, recoverManual } from "./init-manual-call.ts";
import { initiateCall, type PhoneSessionDeps, recoverInitiated } from "./initiate-call.ts";
import { play } from "./play.ts";
import { transfer } from "./transfer.ts";

const INITIATE = "/api/sessions/initiate-call";
const INIT_MANUAL = "/api/sessions/init-manual-call";
const common = { tags: ["sessions"], security: KEY_OR_USER_SECURITY };

/** Phone calls: placing them, and controlling live ones. */
export function phoneSessionRoutes(app: Api, deps: PhoneSessionDeps): void {
  initiateRoute(app, deps);
  manualRoute(app, deps);
  liveControlRoutes(app, deps);
}

function initiateRoute(app: Api, deps: PhoneSessionDeps): void {
  app.post(
    INITIATE,
    {
      config: { access: PLACES_CALLS },
      schema: {
        ...common,
        summary: "Place an outbound call by an agent; with an Idempotency-Key once",
        headers: idempotencyHeadersSchema,
        body: initiateCallSchema,
        response: responses(200, placedCallResponseSchema),
      },
    },
    async (request, reply) => {
      const caller = actorOf(request);
      const { orgId, userId } = caller;
      const { headers, body } = request;
      const { result, isReplayed } = await createOnce(
        { principal: `${orgId}:${userId}`, route: INITIATE, headers, body },
        {
          create: (intend) => initiateCall(body, caller, { ...deps, intend }),
          recover: (sessionId, mayBeInFlight) => recoverInitiated(sessionId, { orgId, mayBeInFlight }, deps),
        },
        deps,
      );
      if (isReplayed) reply.header("idempotency-replayed", "true");
      return success(result);
    },
  );
}

function manualRoute(app: Api, deps: PhoneSessionDeps): void {
  app.post(
    INIT_MANUAL,
    {
      config: { access: WRITES },
      schema: {
        ...common,
        summary: "Place a call from a softphone; with an Idempotency-Key once",
        headers: idempotencyHeadersSchema,
        body: initManualCallSchema,
        response: responses(200, manualCallResponseSchema),
      },
    },
    async (request, reply) => {
      const caller = actorOf(request);
      const { orgId, userId } = caller;
      const { headers, body } = request;
      const { result, isReplayed } = await createOnce(
        { principal: `${orgId}:${userId}`, route: INIT_MANUAL, headers, body },
        {
          create: (intend) => initManualCall(body, caller, { ...deps, intend }),
          recover: (sessionId, mayBeInFlight) => recoverManual(sessionId, { orgId, mayBeInFlight }, deps),
        },
        deps,
      );
      if (!isReplayed) return success(result);
      reply.header("idempotency-replayed", "true");
      // Its ticket expires after a minute, and the call may still be live.
      const again = await recoverManual(result.sessionId, { orgId, mayBeInFlight: false }, deps);
      return success(again ?? result);
    },
  );
}

function liveControlRoutes(app: Api, deps: PhoneSessionDeps): void {
  app.post(
    "/api/sessions/:id/transfer",
    {
      config: { access: WRITES },
      schema: {
        ...common,
        summary: "Transfer a live phone call to another number",
        params: sessionParamsSchema,
        body: transferOrderSchema,
        response: responses(200, transferredResponseSchema),
      },
    },
    async (request) => {
      const sessionId = request.params.id;
      const { to } = request.body;
      await transfer({ sessionId, orgId: actorOf(request).orgId }, request.body, deps);
      return success({ sessionId, to, status: "transferring" as const });
    },
  );
  app.post(
    "/api/sessions/:id/play",
    {
      config: { access: WRITES },
      schema: {
        ...common,
        summary: "Play a WAV file into a live manual call; a new one takes the place of the one before",
        params: sessionParamsSchema,
        body: playSchema,
        response: responses(200, playedResponseSchema),
      },
    },
    async (request) => {
      const sessionId = request.params.id;
      const durationMs = await play(sessionId, { ...request.body, orgId: actorOf(request).orgId }, deps);
      return success({ sessionId, durationMs });
    },
  );
}
