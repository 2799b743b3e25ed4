import { sessionParamsSchema } from "@parley/shared/contracts/sessions.ts";
import {
  declinedResponseSchema,
  incomingCallsQuerySchema,
  softphoneSeatResponseSchema,
} from "@parley/shared/contracts/softphones.ts";
import { HEARS_CALLS, WRITES } from "../../http/access/rules.ts";
import { idempotencyHeadersSchema } from "../../http/idempotency/once.ts";
import { actorOf, memberOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { answerOnce } from "./answer-once.ts";
import { attach } from "./attach.ts";
import { decline, type IncomingCallsDeps } from "./incoming-calls.ts";
import { RingingStreams } from "./ringing-streams.ts";

const common = { tags: ["sessions"], security: KEY_OR_USER_SECURITY };

/** Softphone routes besides placing calls: hearing them ring, answering, and changing devices. */
export function softphoneRoutes(app: Api, deps: IncomingCallsDeps): void {
  attachRoute(app, deps);
  incomingRoutes(app, deps);
  listenRoute(app, deps);
}

function attachRoute(app: Api, deps: IncomingCallsDeps): void {
  app.post(
    "/api/sessions/:id/attach",
    {
      config: { access: WRITES },
      schema: {
        ...common,
        summary:
          "Get a new softphone address of a live manual call; whoever connects to it takes the call over",
        params: sessionParamsSchema,
        response: responses(200, softphoneSeatResponseSchema),
      },
    },
    async (request) => success(await attach(request.params.id, actorOf(request), deps)),
  );
}

function incomingRoutes(app: Api, deps: IncomingCallsDeps): void {
  app.post(
    "/api/sessions/:id/answer",
    {
      config: { access: WRITES },
      schema: {
        ...common,
        summary:
          "Answer an incoming call with a softphone; exactly one device does, with an Idempotency-Key as often as it asks",
        headers: idempotencyHeadersSchema,
        params: sessionParamsSchema,
        response: responses(200, softphoneSeatResponseSchema),
      },
    },
    async (request, reply) => {
      const asked = { sessionId: request.params.id, key: request.headers["idempotency-key"] };
      const { result, isReplayed } = await answerOnce(asked, actorOf(request), deps);
      if (isReplayed) reply.header("idempotency-replayed", "true");
      return success(result);
    },
  );
  app.post(
    "/api/sessions/:id/decline",
    {
      config: { access: WRITES },
      schema: {
        ...common,
        summary: "Decline an incoming call",
        params: sessionParamsSchema,
        response: responses(200, declinedResponseSchema),
      },
    },
    async (request) => {
      const sessionId = request.params.id;
      await decline(sessionId, actorOf(request), deps);
      return success({ sessionId, status: "declined" as const });
    },
  );
}

function listenRoute(app: Api, deps: IncomingCallsDeps): void {
  const streams = new RingingStreams(deps);
  app.addHook("preClose", () => streams.stop());
  app.get(
    "/api/me/incoming-calls",
    {
      config: { access: HEARS_CALLS },
      schema: {
        tags: ["sessions"],
        security: USER_SECURITY,
        summary:
          "Hear when somebody calls you: server-sent events ringing and gone; with `changes`, also changed, as of the organization's changes",
        querystring: incomingCallsQuerySchema,
        produces: ["text/event-stream"],
      },
    },
    async (request, reply) => {
      const { orgId, userId } = memberOf(request);
      const recheckAccess = async (): Promise<unknown> => request.recheckAccess?.();
      const hearsChanges = request.query.changes === "true";
      return streams.open({ orgId, userId, recheckAccess, hearsChanges }, reply);
    },
  );
}
