import type { Manifest } from "@parley/platform/manifest/manifest.ts";
import type { AppFrame } from "@parley/shared/contracts/apps.ts";
import { permissionsOf, type Role } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { MemberPrincipal } from "../../http/access/principal.ts";
import { selectMembers } from "../../identity/memberships/store.ts";
import { existingVersion, manifestOf } from "../bundles/store.ts";
import { frameSettings } from "../installs/settings.ts";
import { existingInstall } from "../installs/store.ts";
import type { FrameTokens } from "./frame-token.ts";

interface WantedFrame {
  readonly appId: string;
  readonly pageId: string;
  /** The script comes from a development server. */
  readonly preview?: boolean | undefined;
}

/** Whether a role may run scripts that nobody published as an app, on the organization's data. */
export function mayPreview(role: Role): boolean {
  return permissionsOf(role).includes("manage_publish");
}

/**
 * The initial state of a frame, and the token by which its host brings calls. Throws `AppError` forbidden for a preview
 * by a role without, not_found when the app is not installed or has no such page, gone when the running version was
 * withdrawn.
 */
export async function openFrame(
  { appId, pageId, preview = false }: WantedFrame,
  member: MemberPrincipal,
  { db, tokens }: { readonly db: Kysely<Tables>; readonly tokens: FrameTokens },
): Promise<AppFrame> {
  const { orgId, userId, role } = member;
  if (preview && !mayPreview(role))
    throw new AppError("forbidden", `Your role (${role}) cannot preview apps. Reload the page.`);
  const install = await existingInstall(db, orgId, appId);
  const version = await existingVersion(db, appId, install.version);
  if (version.withdrawn_at)
    throw new AppError("gone", `Version ${install.version} of this app was withdrawn by its publisher.`);
  const manifest = manifestOf(version);
  const page = manifest.ui.pages.find(({ id }) => id === pageId);
  if (!page) throw new AppError("not_found", `This app has no page ${pageId}.`);
  const frameId = newId("frm");
  const { token, expiresAt } = tokens.mint({
    frameId,
    orgId,
    appId,
    version: install.version,
    userId,
    preview,
  });
  const scopes = grantedScopes(install.scopes, manifest);
  return {
    frameId,
    token,
    expiresAt: expiresAt.toISOString(),
    version: install.version,
    scopes,
    page: { id: page.id, title: page.title },
    user: {
      id: userId,
      role,
      permissions: [...permissionsOf(role)],
      ...(scopes.includes("user:profile") ? await profileOf(db, member) : {}),
    },
    settings: frameSettings(manifest.settings ?? [], install.settings),
    bundle: { entry: manifest.ui.entry, styles: manifest.ui.styles ?? null },
  };
}

/** Scopes that were agreed to and that the running version asks for: neither alone is enough. */
export function grantedScopes(agreed: readonly string[], { scopes }: Pick<Manifest, "scopes">): string[] {
  return scopes.filter((scope) => agreed.includes(scope));
}

async function profileOf(
  db: Kysely<Tables>,
  { orgId, userId }: MemberPrincipal,
): Promise<{ name?: string; email?: string }> {
  const row = await selectMembers(db, orgId).where("users.id", "=", userId).executeTakeFirst();
  return { ...(row?.name && { name: row.name }), ...(row?.email && { email: row.email }) };
}
