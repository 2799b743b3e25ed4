import { BridgeError } from "@parley/platform/wire/errors.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Kysely, Selectable } from "kysely";
import type { Tables } from "../../database/tables.ts";

type Db = Kysely<Tables>;
export type InstallRow = Selectable<Tables["app_installs"]>;

export interface NewInstall {
  readonly orgId: string;
  readonly appId: string;
  readonly version: string;
  readonly scopes: readonly string[];
  readonly by: string;
  readonly at: Date;
}

/** Inserts an install, or records the new consent. Settings stay. */
export async function putInstall(
  trx: Db,
  { orgId, appId, version, scopes, by, at }: NewInstall,
): Promise<InstallRow> {
  const agreed = { version, scopes: JSON.stringify(scopes), updated_at: at };
  return trx
    .insertInto("app_installs")
    .values({
      org_id: orgId,
      app_id: appId,
      ...agreed,
      settings: "{}",
      installed_by: by,
      installed_at: at,
    })
    .onConflict((conflict) => conflict.columns(["org_id", "app_id"]).doUpdateSet(agreed))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findInstall(db: Db, orgId: string, appId: string): Promise<InstallRow | undefined> {
  return db
    .selectFrom("app_installs")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .executeTakeFirst();
}

/** Throws `AppError` not_found. */
export async function existingInstall(db: Db, orgId: string, appId: string): Promise<InstallRow> {
  const row = await findInstall(db, orgId, appId);
  return row ?? notInstalled(appId);
}

/** Reads an install and locks it. Throws `AppError` not_found. */
export async function lockInstall(trx: Db, orgId: string, appId: string): Promise<InstallRow> {
  const row = await trx
    .selectFrom("app_installs")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? notInstalled(appId);
}

/**
 * Keeps an app from being uninstalled until the transaction ends: what is stored for one that has just gone would stay,
 * and be there for whoever installs it again. Throws `BridgeError` app_gone.
 */
export async function holdInstall(trx: Db, orgId: string, appId: string): Promise<void> {
  const row = await trx
    .selectFrom("app_installs")
    .select("app_id")
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .forKeyShare()
    .executeTakeFirst();
  if (!row) throw new BridgeError("app_gone", "The app is no longer installed.");
}

export async function updateSettings(
  trx: Db,
  { org_id, app_id }: Pick<InstallRow, "org_id" | "app_id">,
  { settings, at }: { readonly settings: object; readonly at: Date },
): Promise<InstallRow> {
  return trx
    .updateTable("app_installs")
    .set({ settings: JSON.stringify(settings), updated_at: at })
    .where("org_id", "=", org_id)
    .where("app_id", "=", app_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes an install with its keys and secrets. */
export async function deleteInstall(trx: Db, orgId: string, appId: string): Promise<void> {
  await trx.deleteFrom("app_installs").where("org_id", "=", orgId).where("app_id", "=", appId).execute();
}

function notInstalled(appId: string): never {
  throw new AppError("not_found", `App ${appId} is not installed in this organization.`);
}
