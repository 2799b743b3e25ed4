import {
  connectCarrierSchema,
  connectionDeletedResponseSchema,
  connectionParamsSchema,
  connectionResponseSchema,
  connectionsResponseSchema,
  replaceCredentialsSchema,
} from "@parley/shared/contracts/carrier-connections.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { CARRIERS_MANAGE } from "../../../http/access/rules.ts";
import { memberOf } from "../../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../../http/routes.ts";
import { byOf } from "../../../identity/orgs/acting.ts";
import { type ConnectionsDeps, connect, disconnect, replaceCredentials } from "./connections.ts";
import { listCarriers } from "./kind.ts";

const config = { access: CARRIERS_MANAGE };
const common = { tags: ["carriers"], security: USER_SECURITY };

/** `/api/orgs/{orgId}/carriers`: people only, owners and admins. */
export function carrierConnectionRoutes(app: Api, deps: ConnectionsDeps): void {
  const path = "/api/orgs/:orgId/carriers";
  const schema = { ...common, params: connectionParamsSchema };
  app.get(
    path,
    {
      config,
      schema: {
        ...common,
        summary: "List the organization's accounts at carriers",
        params: orgParamsSchema,
        response: responses(200, connectionsResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = memberOf(request);
      const carriers = await listCarriers(deps.database, { orgId, baseUrl: deps.baseUrl() });
      return success({ carriers, total: carriers.length });
    },
  );
  app.post(
    path,
    {
      config,
      schema: {
        ...common,
        summary: "Connect an account at a carrier; its credentials are tried first and never shown again",
        params: orgParamsSchema,
        body: connectCarrierSchema,
        response: responses(201, connectionResponseSchema),
      },
    },
    async (request, reply) => {
      return reply.status(201).send(success(await connect(request.body, byOf(request), deps)));
    },
  );
  app.put(
    `${path}/:id/credentials`,
    {
      config,
      schema: {
        ...schema,
        summary: "Replace the credentials of an account",
        body: replaceCredentialsSchema,
        response: responses(200, connectionResponseSchema),
      },
    },
    async (request) => {
      const { id } = request.params;
      return success(await replaceCredentials({ id, ...request.body }, byOf(request), deps));
    },
  );
  app.delete(
    `${path}/:id`,
    {
      config,
      schema: {
        ...schema,
        summary: "Disconnect an account",
        response: responses(200, connectionDeletedResponseSchema),
      },
    },
    async (request) => {
      await disconnect(request.params.id, byOf(request), deps);
      return success({ id: request.params.id });
    },
  );
}
