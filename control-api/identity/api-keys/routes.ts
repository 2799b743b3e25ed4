import {
  createKeySchema,
  keyCreatedResponseSchema,
  keyParamsSchema,
  keyRevokedResponseSchema,
  keysResponseSchema,
} from "@parley/shared/contracts/api-keys.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { isAtLeast, rolesWith } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import { KEYS_CREATE, KEYS_LIST, KEYS_REVOKE } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Identity } from "../accounts/identity.ts";
import { lockRole } from "../memberships/store.ts";
import { newKeySecret } from "./key-secret.ts";
import { insertKey, listKeys, revokeKey } from "./store.ts";

type KeysIdentity = Pick<Identity, "database" | "clock" | "changes" | "audit">;

const common = { tags: ["api keys"], security: USER_SECURITY };

/** `/api/orgs/{orgId}/api-keys`: created and revoked by people, never by keys. */
export function apiKeyRoutes(app: Api, identity: KeysIdentity): void {
  listRoute(app, identity);
  createRoute(app, identity);
  revokeRoute(app, identity);
}

function listRoute(app: Api, { database }: KeysIdentity): void {
  app.get(
    "/api/orgs/:orgId/api-keys",
    {
      config: { access: KEYS_LIST },
      schema: {
        ...common,
        summary: "List API keys",
        params: orgParamsSchema,
        response: responses(200, keysResponseSchema),
      },
    },
    async (request) => {
      const apiKeys = await listKeys(database, memberOf(request).orgId);
      return success({ apiKeys, total: apiKeys.length });
    },
  );
}

function createRoute(app: Api, { database, clock, audit }: KeysIdentity): void {
  app.post(
    "/api/orgs/:orgId/api-keys",
    {
      config: { access: KEYS_CREATE },
      schema: {
        ...common,
        summary: "Create an API key; its secret is shown once",
        params: orgParamsSchema,
        body: createKeySchema,
        response: responses(201, keyCreatedResponseSchema),
      },
    },
    async (request, reply) => {
      const member = memberOf(request);
      const { orgId, userId } = member;
      const { name, role } = request.body;
      const secret = newKeySecret();
      const key = await database.db.transaction().execute(async (trx) => {
        const ownRole = await lockRole(trx, member, rolesWith("manage_api_keys"));
        if (!isAtLeast(ownRole, role)) {
          throw new AppError(
            "forbidden",
            `A member with role ${ownRole} cannot create a key with role ${role}.`,
          );
        }
        return insertKey(trx, {
          id: newId("key"),
          orgId,
          name,
          role,
          secretHash: sha256Hex(secret),
          lastFour: secret.slice(-4),
          createdBy: userId,
          at: new Date(clock.wallMs()),
        });
      });
      const details = { keyId: key.id, role };
      await audit.write({
        action: "api_key.created",
        orgId,
        actor: { kind: "user", id: userId },
        client: clientOf(request),
        details,
      });
      return reply.status(201).header("cache-control", "no-store").send(success({ key, secret }));
    },
  );
}

function revokeRoute(app: Api, { database, clock, changes, audit }: KeysIdentity): void {
  app.delete(
    "/api/orgs/:orgId/api-keys/:keyId",
    {
      config: { access: KEYS_REVOKE },
      schema: {
        ...common,
        summary: "Revoke an API key at once",
        params: keyParamsSchema,
        response: responses(200, keyRevokedResponseSchema),
      },
    },
    async (request) => {
      const { orgId, userId } = memberOf(request);
      const { keyId } = request.params;
      const key = await revokeKey(database, { orgId, keyId, at: new Date(clock.wallMs()) });
      if (!key) throw new AppError("not_found", "There is no such key in this organization.");
      await changes.announce({ keyId });
      await audit.write({
        action: "api_key.revoked",
        orgId,
        actor: { kind: "user", id: userId },
        client: clientOf(request),
        details: { keyId },
      });
      return success({ key });
    },
  );
}
