import {
  authorizationSchema,
  connectionDeletedSchema,
  connectionIdParamsSchema,
  connectionResultSchema,
  connectionsQuerySchema,
  createConnectionSchema,
  integrationConnectionSchema,
  integrationConnectionsSchema,
  integrationProviderSchema,
  integrationProvidersSchema,
  providerIdParamsSchema,
  updateConnectionSchema,
  verificationSchema,
} from "@parley/shared/contracts/integrations.ts";
import type { FastifyRequest } from "fastify";
import { KEY_READS, KEY_WRITES } from "../http/access/rules.ts";
import { idempotencyHeadersSchema } from "../http/idempotency/once.ts";
import { keyOf } from "../http/plugins/access.ts";
import { clientOf } from "../http/plugins/client.ts";
import { type Api, KEY_SECURITY, responses } from "../http/routes.ts";
import type { IntegrationService } from "./connections/service.ts";
import type { ConnectionActor } from "./deps.ts";

const common = { tags: ["integrations"], security: KEY_SECURITY };
const BASE = "/api/v1/integrations";

/** `/api/v1/integrations`: for keys only, without an organization in the path. */
export function integrationV1Routes(app: Api, service: IntegrationService): void {
  catalogRoutes(app, service);
  readRoutes(app, service);
  createRoute(app, service);
  changeRoutes(app, service);
  authorizeRoute(app, service);
  endRoutes(app, service);
}

function catalogRoutes(app: Api, service: IntegrationService): void {
  const config = { access: KEY_READS };
  const response = responses(200, integrationProvidersSchema);
  app.get(
    `${BASE}/providers`,
    { config, schema: { ...common, summary: "List connectors and what each needs", response } },
    async () => ({ providers: service.providers() }),
  );
  app.get(
    `${BASE}/providers/:providerId`,
    {
      config,
      schema: {
        ...common,
        summary: "Read a connector",
        params: providerIdParamsSchema,
        response: responses(200, integrationProviderSchema),
      },
    },
    async (request) => service.provider(request.params.providerId),
  );
}

function readRoutes(app: Api, service: IntegrationService): void {
  const config = { access: KEY_READS };
  app.get(
    `${BASE}/connections`,
    {
      config,
      schema: {
        ...common,
        summary: "List connections, the newest first",
        querystring: connectionsQuerySchema,
        response: responses(200, integrationConnectionsSchema),
      },
    },
    async (request) => {
      const connections = await service.list(keyOf(request).orgId, request.query.providerId);
      return { connections, total: connections.length };
    },
  );
  app.get(
    `${BASE}/connections/:id`,
    {
      config,
      schema: {
        ...common,
        summary: "Read a connection; what is polled until consent was given",
        params: connectionIdParamsSchema,
        response: responses(200, integrationConnectionSchema),
      },
    },
    async (request) => service.get(keyOf(request).orgId, request.params.id),
  );
}

function createRoute(app: Api, service: IntegrationService): void {
  app.post(
    `${BASE}/connections`,
    {
      config: { access: KEY_WRITES },
      schema: {
        ...common,
        summary: "Connect an account; the vendor is asked first, and its refusal is kept with the connection",
        headers: idempotencyHeadersSchema,
        body: createConnectionSchema,
        response: responses(201, connectionResultSchema),
      },
    },
    async (request, reply) => {
      const key = request.headers["idempotency-key"];
      const { result, isReplayed } = await service.create(request.body, key, actorOf(request));
      if (isReplayed) reply.header("idempotency-replayed", "true");
      return reply.status(201).send(result);
    },
  );
}

function changeRoutes(app: Api, service: IntegrationService): void {
  for (const method of ["PATCH", "PUT"] as const) {
    app.route({
      method,
      url: `${BASE}/connections/:id`,
      config: { access: KEY_WRITES },
      schema: {
        ...common,
        summary: `Change a connection${method === "PUT" ? ", as PATCH does" : "; what is left out stays"}`,
        params: connectionIdParamsSchema,
        body: updateConnectionSchema,
        response: responses(200, connectionResultSchema),
      },
      handler: async (request) => service.change(request.params.id, request.body, actorOf(request)),
    });
  }
}

function authorizeRoute(app: Api, service: IntegrationService): void {
  app.post(
    `${BASE}/connections/:id/authorize`,
    {
      config: { access: KEY_WRITES },
      schema: {
        ...common,
        summary:
          "Begin a consent at the vendor; the link is good for ten minutes, in the browser that opens it first",
        params: connectionIdParamsSchema,
        response: responses(200, authorizationSchema),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { authorizeUrl, returnsTo } = await service.authorize(id, actorOf(request));
      reply.header("cache-control", "no-store");
      return { authorizeUrl, returnsTo, pollUrl: `${service.baseUrl()}${BASE}/connections/${id}` };
    },
  );
}

function endRoutes(app: Api, service: IntegrationService): void {
  const schema = { ...common, params: connectionIdParamsSchema };
  app.post(
    `${BASE}/connections/:id/test`,
    {
      config: { access: KEY_WRITES },
      schema: {
        ...schema,
        summary: "Ask the vendor whether a connection works; 200 whatever it says",
        response: responses(200, verificationSchema),
      },
    },
    async (request) => service.test(request.params.id, actorOf(request)),
  );
  app.delete(
    `${BASE}/connections/:id`,
    {
      config: { access: KEY_WRITES },
      schema: {
        ...schema,
        summary: "Disconnect an account",
        response: responses(200, connectionDeletedSchema),
      },
    },
    async (request) => {
      await service.remove(request.params.id, actorOf(request));
      return { id: request.params.id, deleted: true as const };
    },
  );
}

function actorOf(request: FastifyRequest): ConnectionActor {
  const { orgId, keyId } = keyOf(request);
  return { orgId, kind: "key", id: keyId, client: clientOf(request) };
}
