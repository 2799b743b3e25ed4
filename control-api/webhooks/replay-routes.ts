import { isEventName } from "@parley/shared/contracts/event-catalog/catalog.ts";
import {
  deliveryParamsSchema,
  queuedResponseSchema,
  replaySchema,
  testWebhookSchema,
  triggerEventSchema,
  triggeredSchema,
  webhookParamsSchema,
} from "@parley/shared/contracts/webhooks.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { KEY_WRITES, WEBHOOKS_CREATE } from "../http/access/rules.ts";
import { actorOf, keyOf } from "../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, KEY_SECURITY, responses, success } from "../http/routes.ts";
import { findEndpoint } from "./endpoint-store.ts";
import { type ReplayDeps, type Replayed, replay } from "./replay.ts";
import { sendTest, triggerEvent } from "./test-events.ts";

const common = { tags: ["webhooks"], security: KEY_OR_USER_SECURITY };
const config = { access: WEBHOOKS_CREATE };

/** Testing an endpoint, and redelivering what it missed. */
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
      const { set } = request.body ?? {};
      return reply.status(202).send(queued(await sendTest(webhook, { orgId, event, set }, deps)));
    },
  );
  app.post(
    "/api/orgs/:orgId/webhooks/:id/replay",
    {
      config,
      schema: {
        ...common,
        summary: "Deliver again what failed since a time",
        description:
          "Of the deliveries that were given up since then; with `all` also of those that were delivered. What was " +
          "replayed already, or is being retried, is left out. `total` says how many are on their way.",
        params: webhookParamsSchema,
        body: replaySchema,
        response,
      },
    },
    async (request, reply) => {
      const { webhook } = await target(request, request.params.id, deps);
      const { since, after, all } = request.body;
      const which = { since: new Date(since), after, all };
      return reply.status(202).send(queued(await replay(webhook, which, deps)));
    },
  );
  app.post(
    "/api/orgs/:orgId/webhooks/:id/deliveries/:deliveryId/replay",
    {
      config,
      schema: {
        ...common,
        summary: "Deliver one again",
        description:
          "Under a new id; one that is still being retried is tried now instead, and keeps its id.",
        params: deliveryParamsSchema,
        response,
      },
    },
    async (request, reply) => {
      const { id, deliveryId } = request.params;
      const { webhook } = await target(request, id, deps);
      return reply.status(202).send(queued(await replay(webhook, { deliveryId }, deps)));
    },
  );
}

/** `/api/v1/events/test`: the API of `parley trigger`. */
export function triggerRoute(app: Api, deps: ReplayDeps): void {
  app.post(
    "/api/v1/events/test",
    {
      config: { access: KEY_WRITES },
      schema: {
        tags: ["webhooks"],
        security: KEY_SECURITY,
        summary: "Deliver a sample to all endpoints and listeners that want its event",
        body: triggerEventSchema,
        response: responses(202, triggeredSchema),
      },
    },
    async (request, reply) => {
      const { event, set, endpoint_id: endpointId } = request.body;
      if (!isEventName(event)) throw new AppError("bad_request", `There is no event ${event}.`);
      const { orgId } = keyOf(request);
      const sent = await triggerEvent({ orgId, event, set, endpointId }, deps);
      const deliveries = sent.map(({ id, endpointId: endpoint_id, url }) => ({ id, endpoint_id, url }));
      return reply.status(202).send({ event, deliveries, total: deliveries.length });
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
