import { EVENT_CATALOG, isEventName } from "@parley/shared/contracts/event-catalog/catalog.ts";
import {
  createHookSchema,
  eventSampleQuerySchema,
  eventSampleSchema,
  hookCreatedSchema,
  hookDeletedSchema,
  hookDeleteSchema,
  hookParamsSchema,
} from "@parley/shared/contracts/webhooks.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { KEY_READS, KEY_WRITES } from "../http/access/rules.ts";
import { keyOf } from "../http/plugins/access.ts";
import { clientOf } from "../http/plugins/client.ts";
import { type Api, KEY_SECURITY, responses } from "../http/routes.ts";
import { findLatestBody } from "./delivery-store.ts";
import { type ActingClient, register, remove, type WebhookDeps } from "./endpoints.ts";

const common = { tags: ["webhooks"], security: KEY_SECURITY };

/** `/api/v1/hooks` and `/api/v1/events/sample`, for automation platforms. */
export function hookRoutes(app: Api, deps: WebhookDeps): void {
  createRoute(app, deps);
  deleteRoutes(app, deps);
  sampleRoute(app, deps);
}

function createRoute(app: Api, deps: WebhookDeps): void {
  app.post(
    "/api/v1/hooks",
    {
      config: { access: KEY_WRITES },
      schema: {
        ...common,
        summary: "Subscribe to events",
        body: createHookSchema,
        response: responses(201, hookCreatedSchema),
      },
    },
    async (request, reply) => {
      const { webhook, secret } = await register(request.body, byOf(request), deps);
      return reply.status(201).header("cache-control", "no-store").send({
        id: webhook.id,
        target_url: webhook.url,
        events: webhook.events,
        agent_id: webhook.agentId,
        include_recording: webhook.includeRecording,
        include_transcript: webhook.includeTranscript,
        signing_secret: secret,
      });
    },
  );
}

function deleteRoutes(app: Api, deps: WebhookDeps): void {
  const schema = { ...common, summary: "Unsubscribe", response: responses(200, hookDeletedSchema) };
  app.delete(
    "/api/v1/hooks/:id",
    { config: { access: KEY_WRITES }, schema: { ...schema, params: hookParamsSchema } },
    async (request) => {
      await remove(request.params.id, byOf(request), deps);
      return { id: request.params.id, deleted: true as const };
    },
  );
  app.delete(
    "/api/v1/hooks",
    { config: { access: KEY_WRITES }, schema: { ...schema, body: hookDeleteSchema } },
    async (request) => {
      await remove(request.body.id, byOf(request), deps);
      return { id: request.body.id, deleted: true as const };
    },
  );
}

function sampleRoute(app: Api, { database }: WebhookDeps): void {
  app.get(
    "/api/v1/events/sample",
    {
      config: { access: KEY_READS },
      schema: {
        ...common,
        summary: "Read a sample of an event",
        querystring: eventSampleQuerySchema,
        response: responses(200, eventSampleSchema),
      },
    },
    async (request) => {
      const name = request.query.type ?? request.query.event ?? "";
      if (!isEventName(name)) throw new AppError("bad_request", `There is no event ${name}.`);
      const real = await findLatestBody(database, keyOf(request).orgId, name);
      const sample =
        real === undefined ? EVENT_CATALOG[name].sample : (JSON.parse(real) as Record<string, unknown>);
      return { event_type: name, is_real: real !== undefined, samples: [{ ...sample }] };
    },
  );
}

function byOf(request: FastifyRequest): ActingClient {
  return { actor: keyOf(request), client: clientOf(request) };
}
