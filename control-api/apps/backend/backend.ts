import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import type { Database } from "../../database/open.ts";
import { appKeyOf } from "../../http/plugins/access.ts";
import { existingVersion, manifestOf } from "../bundles/store.ts";
import { grantedScopes } from "../frames/open-frame.ts";
import { existingInstall } from "../installs/store.ts";
import { useAppKey } from "../keys/store.ts";

/** An app's own backend, in the organization that made its key. */
export interface Backend {
  readonly orgId: string;
  readonly appId: string;
  readonly keyId: string;
}

/**
 * Authenticates an app's key that has `scope`. Throws `AppError` unauthorized (unknown or revoked), forbidden (the
 * scope was not agreed to), gone (the app's version was withdrawn).
 */
export async function backendOf(
  request: FastifyRequest,
  scope: string,
  { database: { db }, clock }: { readonly database: Database; readonly clock: Clock },
): Promise<Backend> {
  const backend = await useAppKey(db, appKeyOf(request), new Date(clock.wallMs()));
  if (!backend) throw new AppError("unauthorized", "The app's key is unknown or revoked.");
  const { orgId, appId } = backend;
  const install = await existingInstall(db, orgId, appId);
  const version = await existingVersion(db, appId, install.version);
  if (version.withdrawn_at)
    throw new AppError("gone", `Version ${install.version} of the app was withdrawn.`);
  if (!grantedScopes(install.scopes, manifestOf(version)).includes(scope))
    throw new AppError("forbidden", `This needs scope ${scope}, which the app was not granted.`, {
      details: { scope },
    });
  return backend;
}
