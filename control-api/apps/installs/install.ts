import type { AppInstall } from "@parley/shared/contracts/apps.ts";
import { rolesWith } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { lockRole } from "../../identity/memberships/store.ts";
import type { By } from "../../identity/orgs/members.ts";
import { inWords } from "../bundles/shown.ts";
import { existingVersion, findVisibleApp, manifestOf } from "../bundles/store.ts";
import type { AppParts } from "../deps.ts";
import { hideAllFiles } from "../files/store.ts";
import { deleteLinks } from "../links/store.ts";
import { removeAppData } from "../records/remove-data.ts";
import { applyChanges, type SettingChanges, secretKeysOf, shownSettings } from "./settings.ts";
import {
  deleteInstall,
  existingInstall,
  findInstall,
  type InstallRow,
  lockInstall,
  putInstall,
  updateSettings,
} from "./store.ts";

const INSTALLERS = rolesWith("manage_workplace");

/** What a person agreed to, as it was shown to them. */
export interface Consent {
  readonly version: string;
  readonly scopes: readonly string[];
}

/**
 * Installs an app's active version, or agrees to what it asks for now. Throws `AppError` not_found, and conflict when
 * the consent does not match the active version, because another one was activated meanwhile.
 */
export async function install(appId: string, consent: Consent, by: By, parts: AppParts): Promise<AppInstall> {
  const { database, clock } = parts;
  const { orgId, userId } = by.actor;
  const { row, isNew } = await database.db.transaction().execute(async (trx) => {
    await lockRole(trx, by.actor, INSTALLERS);
    const known = await findInstall(trx, orgId, appId);
    await assertIsActive(trx, { orgId, appId }, consent);
    const at = new Date(clock.wallMs());
    return { isNew: !known, row: await putInstall(trx, { orgId, appId, ...consent, by: userId, at }) };
  });
  const { version, scopes } = row;
  await write(isNew ? "app.installed" : "app.consented", { appId, version, scopes }, by, parts);
  return toInstall(database.db, row);
}

async function assertIsActive(
  trx: Kysely<Tables>,
  { orgId, appId }: { readonly orgId: string; readonly appId: string },
  { version, scopes }: Consent,
): Promise<void> {
  const app = await findVisibleApp(trx, orgId, appId);
  if (app.active_version !== version)
    throw new AppError(
      "conflict",
      `Version ${version} is not the active one${app.active_version ? `, ${app.active_version} is` : ""}; look at what that asks for, and agree again.`,
    );
  const asked = await existingVersion(trx, appId, version);
  const isSame =
    asked.scopes.length === scopes.length && asked.scopes.every((scope) => scopes.includes(scope));
  if (!isSame)
    throw new AppError(
      "conflict",
      `Version ${version} asks for different scopes than you agreed to. Review them again.`,
      {
        details: { scopes: asked.scopes },
      },
    );
}

/** Throws `AppError` not_found. */
export async function readInstall(
  { orgId, appId }: { readonly orgId: string; readonly appId: string },
  { database }: AppParts,
): Promise<AppInstall> {
  return toInstall(database.db, await existingInstall(database.db, orgId, appId));
}

/** Throws `AppError` not_found, and validation_failed, naming the setting. */
export async function changeSettings(
  appId: string,
  changes: SettingChanges,
  by: By,
  parts: AppParts,
): Promise<AppInstall> {
  const { database, clock, dataKeys } = parts;
  const { orgId } = by.actor;
  const row = await database.db.transaction().execute(async (trx) => {
    await lockRole(trx, by.actor, INSTALLERS);
    const known = await lockInstall(trx, orgId, appId);
    const { settings = [] } = manifestOf(await existingVersion(trx, appId, known.version));
    const given = { settings, plain: known.settings, changes };
    const plain = await applyChanges(trx, { orgId, appId }, given, dataKeys);
    return updateSettings(trx, known, { settings: plain, at: new Date(clock.wallMs()) });
  });
  await write("app.settings_changed", { appId, keys: Object.keys(changes) }, by, parts);
  return toInstall(database.db, row);
}

/** Audits who exported an app's data. Throws `AppError` not_found. */
export async function noteExport(appId: string, by: By, parts: AppParts): Promise<void> {
  await existingInstall(parts.database.db, by.actor.orgId, appId);
  await write("app.exported", { appId }, by, parts);
}

/** Uninstalls an app with its keys, secrets, links and data. Throws `AppError` not_found. */
export async function uninstall(appId: string, by: By, parts: AppParts): Promise<void> {
  const { orgId } = by.actor;
  await parts.database.db.transaction().execute(async (trx) => {
    await lockRole(trx, by.actor, INSTALLERS);
    // First, as those who store something for the app do: then none of it comes after this.
    await lockInstall(trx, orgId, appId);
    const at = new Date(parts.clock.wallMs());
    await removeAppData(trx, orgId, appId, at);
    await hideAllFiles(trx, { orgId, appId }, at);
    await deleteLinks(trx, { orgId, appId });
    await deleteInstall(trx, orgId, appId);
  });
  await write("app.uninstalled", { appId }, by, parts);
}

async function toInstall(db: Kysely<Tables>, row: InstallRow): Promise<AppInstall> {
  const { org_id: orgId, app_id: appId, version, scopes } = row;
  const app = await findVisibleApp(db, orgId, appId);
  const manifest = manifestOf(await existingVersion(db, appId, version));
  const secrets = await secretKeysOf(db, { orgId, appId });
  const settings = shownSettings(manifest.settings ?? [], row.settings, secrets);
  const active =
    app.active_version === null ? undefined : await existingVersion(db, appId, app.active_version);
  const wanted = (active?.scopes ?? []).filter((scope) => !scopes.includes(scope));
  return {
    appId,
    version,
    scopes: inWords(scopes),
    settings,
    missingSettings: settings.filter((one) => one.required && !one.isSet).map(({ key }) => key),
    wanted: inWords(wanted),
    needsConsent: active !== undefined && active.version !== version,
    installedBy: row.installed_by,
    installedAt: row.installed_at.toISOString(),
  };
}

async function write(
  action: string,
  details: Readonly<Record<string, unknown>>,
  { actor, client }: By,
  { audit }: AppParts,
): Promise<void> {
  const { orgId, userId } = actor;
  await audit.write({ action, orgId, actor: { kind: "user", id: userId }, client, details });
}
