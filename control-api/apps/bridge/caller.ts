import type { Manifest } from "@parley/platform/manifest/manifest.ts";
import { findMethod } from "@parley/platform/methods/table.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { permissionsOf, type Role } from "@parley/shared/contracts/roles.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { MemberPrincipal } from "../../http/access/principal.ts";
import { manifestOf } from "../bundles/store.ts";
import type { FrameClaims } from "../frames/frame-token.ts";
import { grantedScopes, mayPreview } from "../frames/open-frame.ts";

/** The principal of a bridge call. Nothing in it comes from a message. */
export interface BridgeCaller {
  readonly orgId: string;
  readonly appId: string;
  readonly userId: string;
  readonly role: Role;
  readonly permissions: readonly string[];
  /** As lists and audit know them. */
  readonly member: MemberPrincipal;
  readonly frameId: string;
  /** Scopes that were agreed to and that the running version asks for. */
  readonly scopes: readonly string[];
  readonly manifest: Manifest;
}

/**
 * Checks a frame's claims against the sender and the current install. Throws `BridgeError` frame_expired when the token
 * belongs to another user, app_gone when the app was uninstalled, its version withdrawn, or the role may not preview.
 */
export async function callerOf(
  claims: FrameClaims,
  member: MemberPrincipal,
  { db, appId }: { readonly db: Kysely<Tables>; readonly appId: string },
): Promise<BridgeCaller> {
  const { orgId, userId, role } = member;
  if (claims.orgId !== orgId || claims.userId !== userId || claims.appId !== appId)
    throw new BridgeError("frame_expired", "The token is another frame's; open the frame again.", {
      retryable: false,
    });
  if (claims.preview && !mayPreview(role))
    throw new BridgeError("app_gone", `The role ${role} cannot preview apps anymore. Reload the page.`);
  const row = await db
    .selectFrom("app_installs as installs")
    .innerJoin("app_versions as versions", (join) =>
      join.onRef("versions.app_id", "=", "installs.app_id").on("versions.version", "=", claims.version),
    )
    .select(["installs.scopes", "versions.manifest", "versions.withdrawn_at"])
    .where("installs.org_id", "=", orgId)
    .where("installs.app_id", "=", appId)
    .executeTakeFirst();
  if (!row) throw new BridgeError("app_gone", "The app is no longer installed in this organization.");
  if (row.withdrawn_at)
    throw new BridgeError("app_gone", `Version ${claims.version} of the app was withdrawn; reload the page.`);
  const manifest = manifestOf(row);
  return {
    orgId,
    appId,
    userId,
    role,
    permissions: permissionsOf(role),
    member,
    frameId: claims.frameId,
    scopes: grantedScopes(row.scopes, manifest),
    manifest,
  };
}

/** Looks up a method that the server carries out. Throws `BridgeError` unknown_method. */
export function serverMethod(name: string) {
  const method = findMethod(name);
  if (method?.runsIn === "server") return method;
  const why = method
    ? `is carried out in the ${method.runsIn}, not on the server`
    : "is no method of the bridge";
  throw new BridgeError("unknown_method", `${name} ${why}.`);
}
