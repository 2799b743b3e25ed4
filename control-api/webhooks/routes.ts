import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import {
  createWebhookSchema,
  deliveriesQuerySchema,
  deliveriesResponseSchema,
  webhookCreatedResponseSchema,
  webhookDeletedResponseSchema,
  webhookParamsSchema,
  webhookResponseSchema,
  webhooksResponseSchema,
} from "@parley/shared/contracts/webhooks.ts";
import { AppError } from "@parley/shared/errors.ts";
import { WEBHOOKS_CREATE, WEBHOOKS_DELETE, WEBHOOKS_READ } from "../http/access/rules.ts";
import { actorOf } from "../http/plugins/access.ts";
import { clientOf } from "../http/plugins/client.ts";
import type { Reads } from "../http/reads.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../http/routes.ts";
import { pageOfDeliveries } from "./delivery-pages.ts";
import { findEndpoint, listEndpoints } from "./endpoint-store.ts";
import { register, remove, type WebhookDeps } from "./endpoints.ts";

const common = { tags: ["webhooks"], security: KEY_OR_USER_SECURITY };

export interface WebhookRoutesDeps extends WebhookDeps {
  readonly reads: Reads;
}

/** `/api/orgs/{orgId}/webhooks`: the management API (docs/webhooks.md#registration). */
export function webhookRoutes(app: Api, deps: WebhookRoutesDeps): void {
  createRoute(app, deps);
  readRoutes(app, deps);
  app.delete(
    "/api/orgs/:orgId/webhooks/:id",
    {
      config: { access: WEBHOOKS_DELETE },
      schema: {
        ...common,
        summary: "Delete an endpoint and its deliveries",
        params: webhookParamsSchema,
        response: responses(200, webhookDeletedResponseSchema),
      },
    },
    async (request) => {
      const { id } = request.params;
      await remove(id, { actor: actorOf(request), client: clientOf(request) }, deps);
      return success({ id });
    },
  );
}

function createRoute(app: Api, deps: WebhookDeps): void {
  app.post(
    "/api/orgs/:orgId/webhooks",
    {
      config: { access: WEBHOOKS_CREATE },
      schema: {
        ...common,
        summary: "Register an endpoint; its signing secret is shown once",
        params: orgParamsSchema,
        body: createWebhookSchema,
        response: responses(201, webhookCreatedResponseSchema),
      },
    },
    async (request, reply) => {
      const by = { actor: actorOf(request), client: clientOf(request) };
      const { webhook, secret } = await register(request.body, by, deps);
      return reply
        .status(201)
        .header("cache-control", "no-store")
        .send(success({ ...webhook, signing_secret: secret }));
    },
  );
}

function readRoutes(app: Api, { database, reads }: WebhookRoutesDeps): void {
  app.get(
    "/api/orgs/:orgId/webhooks",
    {
      config: { access: WEBHOOKS_READ },
      schema: {
        ...common,
        summary: "List endpoints",
        params: orgParamsSchema,
        response: responses(200, webhooksResponseSchema),
      },
    },
    async (request) => {
      const webhooks = await listEndpoints(database, actorOf(request).orgId);
      return success({ webhooks, total: webhooks.length });
    },
  );
  app.get(
    "/api/orgs/:orgId/webhooks/:id",
    {
      config: { access: WEBHOOKS_READ },
      schema: {
        ...common,
        summary: "Read an endpoint",
        params: webhookParamsSchema,
        response: responses(200, webhookResponseSchema),
      },
    },
    async (request) => success(await existing(request.params.id, actorOf(request).orgId, database)),
  );
  app.get(
    "/api/orgs/:orgId/webhooks/:id/deliveries",
    {
      config: { access: WEBHOOKS_READ },
      schema: {
        ...common,
        summary: "List deliveries of an endpoint, newest first",
        params: webhookParamsSchema,
        querystring: deliveriesQuerySchema,
        response: responses(200, deliveriesResponseSchema),
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { id } = await existing(request.params.id, actor.orgId, database);
      const page = await reads.run(actor, (ofReads) =>
        pageOfDeliveries(id, request.query, { actor, database: ofReads }),
      );
      return success(page);
    },
  );
}

async function existing(id: string, orgId: string, database: WebhookDeps["database"]) {
  const webhook = await findEndpoint(database, orgId, id);
  if (!webhook) throw new AppError("not_found", "There is no such webhook in this organization.");
  return webhook;
}
