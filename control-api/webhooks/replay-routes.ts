import {
  deliveryParamsSchema,
  queuedResponseSchema,
  replaySchema,
  testWebhookSchema,
  webhookParamsSchema,
} from "@parley/shared/contracts/webhooks.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { WEBHOOKS_CREATE } from "../access/rules.ts";
import { actorOf } from "../plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../routes.ts";
import { findEndpoint } from "./endpoint-store.ts";
import { type ReplayDeps, type Replayed, replay, sendTest } from "./replay.ts";

const common = { tags: ["webhooks"], security: KEY_OR_USER_SECURITY };
const config = { access: WEBHOOKS_CREATE };

/** Trying an endpoint out, and delivering again what it missed. */
export function replayRoutes(app: Api, deps: ReplayDeps): void {
  const response = responses(202, queuedResponseSchema);
  app.post(
    "/api/orgs/:orgId/webhooks/:id/test",
    {
      config,
      schema: {
        ...common,
        summary: "Deliver a sample",
        params: webhookParamsSchema,
        body: testWebhookSchema,
        response,
      },
    },
    async (request, reply) => {
      const { webhook, orgId } = await target(request, request.params.id, deps);
      const event = request.body?.event ?? "call.ended";
      return reply.status(202).send(queued(await sendTest(webhook, { orgId, event }, deps)));
    },
  );
  app.post(
    "/api/orgs/:orgId/webhooks/:id/replay",
    {
      config,
      schema: {
        ...common,
        summary: "Deliver everything since a time again",
        params: webhookParamsSchema,
        body: replaySchema,
        response,
      },
    },
    async (request, reply) => {
      const { webhook } = await target(request, request.params.id, deps);
      const { since, after } = request.body;
      return reply.status(202).send(queued(await replay(webhook, { since: new Date(since), after }, deps)));
    },
  );
  app.post(
    "/api/orgs/:orgId/webhooks/:id/deliveries/:deliveryId/replay",
    { config, schema: { ...common, summary: "Deliver one again", params: deliveryParamsSchema, response } },
    async (request, reply) => {
      const { id, deliveryId } = request.params;
      const { webhook } = await target(request, id, deps);
      return reply.status(202).send(queued(await replay(webhook, { deliveryId }, deps)));
    },
  );
}

async function target(request: FastifyRequest, id: string, { database }: ReplayDeps) {
  const { orgId } = actorOf(request);
  const webhook = await findEndpoint(database, orgId, id);
  if (!webhook) throw new AppError("not_found", "There is no such webhook in this organization.");
  return { webhook, orgId };
}

function queued({ deliveryIds, nextAfter }: Replayed) {
  return success({ deliveryIds: [...deliveryIds], total: deliveryIds.length, nextAfter });
}
