import {
  connectionsQuerySchema,
  createConnectionSchema,
  orgConnectionParamsSchema,
  orgProviderParamsSchema,
  updateConnectionSchema,
  wrappedAuthorizationSchema,
  wrappedCapabilitiesSchema,
  wrappedConnectionDeletedSchema,
  wrappedConnectionResultSchema,
  wrappedConnectionRunsSchema,
  wrappedConnectionSchema,
  wrappedConnectionsSchema,
  wrappedProviderSchema,
  wrappedProvidersSchema,
  wrappedTestResultSchema,
} from "@parley/shared/contracts/integrations.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import type { FastifyRequest } from "fastify";
import { INTEGRATIONS_READ, INTEGRATIONS_WRITE } from "../http/access/rules.ts";
import { idempotencyHeadersSchema } from "../http/idempotency/once.ts";
import { memberOf } from "../http/plugins/access.ts";
import { clientOf } from "../http/plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../http/routes.ts";
import type { IntegrationService } from "./connections/service.ts";
import type { ConnectionActor } from "./deps.ts";
import { consentCookie } from "./oauth/consent-callback.ts";

const common = { tags: ["integrations"], security: USER_SECURITY };
const BASE = "/api/orgs/:orgId/integrations";

/** `/api/orgs/{orgId}/integrations`: integrations, for people. */
export function integrationOrgRoutes(app: Api, service: IntegrationService): void {
  catalogRoutes(app, service);
  capabilityRoutes(app, service);
  readRoutes(app, service);
  writeRoutes(app, service);
  authorizeRoute(app, service);
  endRoutes(app, service);
}

function catalogRoutes(app: Api, service: IntegrationService): void {
  const config = { access: INTEGRATIONS_READ };
  app.get(
    `${BASE}/providers`,
    {
      config,
      schema: {
        ...common,
        summary: "List connectors and what each needs",
        params: orgParamsSchema,
        response: responses(200, wrappedProvidersSchema),
      },
    },
    async () => success({ providers: service.providers() }),
  );
  app.get(
    `${BASE}/providers/:providerId`,
    {
      config,
      schema: {
        ...common,
        summary: "Read a connector",
        params: orgProviderParamsSchema,
        response: responses(200, wrappedProviderSchema),
      },
    },
    async (request) => success(service.provider(request.params.providerId)),
  );
}

function capabilityRoutes(app: Api, service: IntegrationService): void {
  app.get(
    `${BASE}/capabilities`,
    {
      config: { access: INTEGRATIONS_READ },
      schema: {
        ...common,
        summary: "List what agents can do, and what each takes",
        params: orgParamsSchema,
        response: responses(200, wrappedCapabilitiesSchema),
      },
    },
    async () => success({ capabilities: service.capabilities() }),
  );
}

function readRoutes(app: Api, service: IntegrationService): void {
  const config = { access: INTEGRATIONS_READ };
  app.get(
    `${BASE}/connections`,
    {
      config,
      schema: {
        ...common,
        summary: "List connections, the newest first",
        params: orgParamsSchema,
        querystring: connectionsQuerySchema,
        response: responses(200, wrappedConnectionsSchema),
      },
    },
    async (request) => {
      const connections = await service.listUsed(memberOf(request).orgId, request.query.providerId);
      return success({ connections, total: connections.length });
    },
  );
  app.get(
    `${BASE}/connections/:id`,
    {
      config,
      schema: {
        ...common,
        summary: "Read a connection",
        params: orgConnectionParamsSchema,
        response: responses(200, wrappedConnectionSchema),
      },
    },
    async (request) => success(await service.getUsed(memberOf(request).orgId, request.params.id)),
  );
  app.get(
    `${BASE}/connections/:id/runs`,
    {
      config,
      schema: {
        ...common,
        summary: "List what agents did in a connection lately, the latest first",
        params: orgConnectionParamsSchema,
        response: responses(200, wrappedConnectionRunsSchema),
      },
    },
    async (request) => success({ runs: await service.runs(memberOf(request).orgId, request.params.id) }),
  );
}

function writeRoutes(app: Api, service: IntegrationService): void {
  const config = { access: INTEGRATIONS_WRITE };
  app.post(
    `${BASE}/connections`,
    {
      config,
      schema: {
        ...common,
        summary: "Connect an account; the vendor is asked first, and its refusal is kept with the connection",
        headers: idempotencyHeadersSchema,
        params: orgParamsSchema,
        body: createConnectionSchema,
        response: responses(201, wrappedConnectionResultSchema),
      },
    },
    async (request, reply) => {
      const key = request.headers["idempotency-key"];
      const { result, isReplayed } = await service.create(request.body, key, actorOf(request));
      if (isReplayed) reply.header("idempotency-replayed", "true");
      return reply.status(201).send(success(result));
    },
  );
  app.patch(
    `${BASE}/connections/:id`,
    {
      config,
      schema: {
        ...common,
        summary: "Change a connection; what is left out stays",
        params: orgConnectionParamsSchema,
        body: updateConnectionSchema,
        response: responses(200, wrappedConnectionResultSchema),
      },
    },
    async (request) => success(await service.change(request.params.id, request.body, actorOf(request))),
  );
}

function authorizeRoute(app: Api, service: IntegrationService): void {
  app.post(
    `${BASE}/connections/:id/authorize`,
    {
      config: { access: INTEGRATIONS_WRITE },
      schema: {
        ...common,
        summary: "Begin a consent at the vendor, in the browser that asks",
        params: orgConnectionParamsSchema,
        response: responses(200, wrappedAuthorizationSchema),
      },
    },
    async (request, reply) => {
      const { orgId, id } = request.params;
      const { authorizeUrl, returnsTo, begun } = await service.authorize(id, actorOf(request));
      if (begun) reply.header("set-cookie", consentCookie(begun, service.baseUrl()));
      reply.header("cache-control", "no-store");
      const pollUrl = `${service.baseUrl()}/api/orgs/${orgId}/integrations/connections/${id}`;
      return success({ authorizeUrl, returnsTo, pollUrl });
    },
  );
}

function endRoutes(app: Api, service: IntegrationService): void {
  const config = { access: INTEGRATIONS_WRITE };
  const schema = { ...common, params: orgConnectionParamsSchema };
  app.post(
    `${BASE}/connections/:id/test`,
    {
      config,
      schema: {
        ...schema,
        summary: "Ask the vendor whether a connection works; 200 whatever it says",
        response: responses(200, wrappedTestResultSchema),
      },
    },
    async (request) => success(await service.test(request.params.id, actorOf(request))),
  );
  app.delete(
    `${BASE}/connections/:id`,
    {
      config,
      schema: {
        ...schema,
        summary: "Disconnect an account",
        response: responses(200, wrappedConnectionDeletedSchema),
      },
    },
    async (request) => {
      await service.remove(request.params.id, actorOf(request));
      return success({ id: request.params.id, deleted: true as const });
    },
  );
}

function actorOf(request: FastifyRequest): ConnectionActor {
  const { orgId, userId } = memberOf(request);
  return { orgId, kind: "user", id: userId, client: clientOf(request) };
}
