import { sessionParamsSchema } from "@parley/shared/contracts/sessions.ts";
import {
  initiateCallSchema,
  placedCallResponseSchema,
  transferredResponseSchema,
  transferSchema,
} from "@parley/shared/contracts/telephony.ts";
import { PLACES_CALLS, WRITES } from "../access/rules.ts";
import { idempotencyHeadersSchema, once } from "../idempotency/once.ts";
import { actorOf } from "../plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../routes.ts";
import { initiateCall, type PhoneSessionDeps } from "./initiate-call.ts";

const INITIATE = "/api/sessions/initiate-call";
const common = { tags: ["sessions"], security: KEY_OR_USER_SECURITY };

/** Phone calls: placing and transferring them (spec 1, "Sessions"). */
export function phoneSessionRoutes(app: Api, deps: PhoneSessionDeps): void {
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
      const { result, isReplayed } = await once(
        {
          principal: `${orgId}:${userId}`,
          route: INITIATE,
          key: request.headers["idempotency-key"],
          body: request.body,
        },
        () => initiateCall(request.body, caller, deps),
        deps,
      );
      if (isReplayed) reply.header("idempotency-replayed", "true");
      return success(result);
    },
  );
  app.post(
    "/api/sessions/:id/transfer",
    {
      config: { access: WRITES },
      schema: {
        ...common,
        summary: "Transfer a live phone call to another number",
        params: sessionParamsSchema,
        body: transferSchema,
        response: responses(200, transferredResponseSchema),
      },
    },
    async (request) => {
      const sessionId = request.params.id;
      const { to } = request.body;
      await deps.phoneCalls.transfer(sessionId, actorOf(request).orgId, to);
      return success({ sessionId, to, status: "transferring" as const });
    },
  );
}
