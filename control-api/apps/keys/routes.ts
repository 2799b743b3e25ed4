import {
  appKeyCreatedResponseSchema,
  appKeyParamsSchema,
  appKeyResponseSchema,
  appKeysResponseSchema,
  appParamsSchema,
  createAppKeySchema,
} from "@parley/shared/contracts/apps.ts";
import { rolesWith } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { randomToken, sha256Hex } from "@parley/shared/security/secrets.ts";
import { APP_KEY_PREFIX } from "../../http/access/resolve-principal.ts";
import { KEYS_CREATE, KEYS_LIST, KEYS_REVOKE } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { lockRole } from "../../identity/memberships/store.ts";
import { byOf } from "../../identity/orgs/acting.ts";
import type { By } from "../../identity/orgs/members.ts";
import type { AppParts } from "../deps.ts";
import { existingInstall, lockInstall } from "../installs/store.ts";
import { countUsableAppKeys, insertAppKey, listAppKeys, revokeAppKey } from "./store.ts";

const KEYS = "/api/orgs/:orgId/apps/:appId/keys";
const SECRET_BYTES = 32;
const MAX_KEYS = 20;
const common = { tags: ["apps"], security: USER_SECURITY };

/** `/api/orgs/{orgId}/apps/{appId}/keys`: credentials of the app's own backend for `/api/app-…`. */
export function appKeyRoutes(app: Api, parts: AppParts): void {
  listRoute(app, parts);
  createRoute(app, parts);
  revokeRoute(app, parts);
}

function listRoute(app: Api, { database }: AppParts): void {
  app.get(
    KEYS,
    {
      config: { access: KEYS_LIST },
      schema: {
        ...common,
        summary: "List the keys of an app's backend",
        params: appParamsSchema,
        response: responses(200, appKeysResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = memberOf(request);
      const { appId } = request.params;
      await existingInstall(database.db, orgId, appId);
      const keys = await listAppKeys(database.db, orgId, appId);
      return success({ keys, total: keys.length });
    },
  );
}

function createRoute(app: Api, parts: AppParts): void {
  app.post(
    KEYS,
    {
      config: { access: KEYS_CREATE },
      schema: {
        ...common,
        summary: "Create a key for an app's backend; its secret is shown once",
        params: appParamsSchema,
        body: createAppKeySchema,
        response: responses(201, appKeyCreatedResponseSchema),
      },
    },
    async (request, reply) => {
      const by = byOf(request);
      const made = await create({ appId: request.params.appId, name: request.body.name }, by, parts);
      return reply.status(201).header("cache-control", "no-store").send(success(made));
    },
  );
}

async function create({ appId, name }: { appId: string; name: string }, by: By, parts: AppParts) {
  const { database, clock, audit } = parts;
  const { orgId, userId } = by.actor;
  const secret = APP_KEY_PREFIX + randomToken(SECRET_BYTES);
  const key = await database.db.transaction().execute(async (trx) => {
    await lockRole(trx, by.actor, rolesWith("manage_api_keys"));
    await lockInstall(trx, orgId, appId);
    if ((await countUsableAppKeys(trx, orgId, appId)) >= MAX_KEYS)
      throw new AppError("conflict", `An app has at most ${MAX_KEYS} keys; revoke one first.`);
    return insertAppKey(trx, {
      id: newId("key"),
      ...{ orgId, appId, name },
      secretHash: sha256Hex(secret),
      lastFour: secret.slice(-4),
      createdBy: userId,
      at: new Date(clock.wallMs()),
    });
  });
  const actor = { kind: "user", id: userId } as const;
  const details = { appId, keyId: key.id };
  await audit.write({ action: "app_key.created", orgId, actor, client: by.client, details });
  return { key, secret };
}

function revokeRoute(app: Api, { database, clock, audit }: AppParts): void {
  app.delete(
    `${KEYS}/:keyId`,
    {
      config: { access: KEYS_REVOKE },
      schema: {
        ...common,
        summary: "Revoke a key of an app's backend; it stops at once",
        params: appKeyParamsSchema,
        response: responses(200, appKeyResponseSchema),
      },
    },
    async (request) => {
      const { actor, client } = byOf(request);
      const { orgId, userId } = actor;
      const { appId, keyId } = request.params;
      const key = await revokeAppKey(database.db, { orgId, appId, keyId, at: new Date(clock.wallMs()) });
      if (!key) throw new AppError("not_found", `App ${appId} has no key ${keyId} in this organization.`);
      const by = { kind: "user", id: userId } as const;
      await audit.write({ action: "app_key.revoked", orgId, actor: by, client, details: { appId, keyId } });
      return success({ key });
    },
  );
}
