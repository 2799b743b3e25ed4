import { type Manifest, manifestSchema } from "@parley/platform/manifest/manifest.ts";
import { AppError } from "@parley/shared/errors.ts";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

type Db = Kysely<Tables>;
export type AppRow = Selectable<Tables["apps"]>;
export type VersionRow = Selectable<Tables["app_versions"]>;

/** An app the organization may see: its own, a listed one, or an installed one. */
export async function findVisibleApp(db: Db, orgId: string, appId: string): Promise<AppRow> {
  const row = await visibleApps(db, orgId).where("apps.id", "=", appId).executeTakeFirst();
  return row ?? noSuchApp(appId);
}

/** An app the organization publishes, locked so that its versions change one at a time. */
export async function lockOwnApp(trx: Db, orgId: string, appId: string): Promise<AppRow> {
  const row = await trx
    .selectFrom("apps")
    .selectAll()
    .where("id", "=", appId)
    .where("org_id", "=", orgId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? noSuchApp(appId);
}

function noSuchApp(appId: string): never {
  throw new AppError("not_found", `There is no app ${appId} that this organization may use.`);
}

export function installedApps(db: Db, orgId: string) {
  return db
    .selectFrom("app_installs")
    .innerJoin("apps", "apps.id", "app_installs.app_id")
    .selectAll("apps")
    .where("app_installs.org_id", "=", orgId);
}

export function visibleApps(db: Db, orgId: string) {
  return db
    .selectFrom("apps")
    .selectAll("apps")
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb("apps.org_id", "=", orgId),
        eb("apps.listed", "=", true),
        exists(
          selectFrom("app_installs")
            .select("app_installs.app_id")
            .whereRef("app_installs.app_id", "=", "apps.id")
            .where("app_installs.org_id", "=", orgId),
        ),
      ]),
    );
}

export interface NewVersion {
  readonly orgId: string;
  readonly manifest: Manifest;
  readonly problems: readonly object[];
  readonly files: ReadonlyMap<string, Buffer>;
  readonly by: string;
  readonly at: Date;
  /** The id to use if the app does not exist yet. */
  readonly newAppId: string;
}

/** Inserts a version, and its app if it is the first. Throws `AppError` conflict when the version exists. */
export async function insertVersion(
  trx: Db,
  given: NewVersion,
): Promise<{ app: AppRow; version: VersionRow }> {
  const { orgId, manifest, by, at } = given;
  const { id: manifestId, name, description = "" } = manifest;
  const created = {
    org_id: orgId,
    manifest_id: manifestId,
    name,
    description,
    created_by: by,
    created_at: at,
  };
  const app = await trx
    .insertInto("apps")
    .values({ id: given.newAppId, ...created })
    .onConflict((conflict) => conflict.columns(["org_id", "manifest_id"]).doUpdateSet({ name, description }))
    .returningAll()
    .executeTakeFirstOrThrow();
  const sizeBytes = [...given.files.values()].reduce((sum, { length }) => sum + length, 0);
  const version = await trx
    .insertInto("app_versions")
    .values({
      app_id: app.id,
      version: manifest.version,
      manifest: JSON.stringify(manifest),
      scopes: JSON.stringify(manifest.scopes),
      problems: JSON.stringify(given.problems),
      size_bytes: sizeBytes,
      created_by: by,
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!version)
    throw new AppError(
      "conflict",
      `Version ${manifest.version} of ${manifestId} is already published. Increase the version in the manifest.`,
    );
  for (const [path, bytes] of given.files)
    await trx
      .insertInto("app_bundle_files")
      .values({ app_id: app.id, version: manifest.version, path, bytes })
      .execute();
  return { app, version };
}

export async function countVersions(db: Db, orgId: string): Promise<number> {
  const row = await db
    .selectFrom("app_versions")
    .innerJoin("apps", "apps.id", "app_versions.app_id")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("apps.org_id", "=", orgId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Versions, newest first. */
export function listVersions(db: Db, appId: string): Promise<VersionRow[]> {
  return db
    .selectFrom("app_versions")
    .selectAll()
    .where("app_id", "=", appId)
    .orderBy("created_at", "desc")
    .orderBy("version", "desc")
    .execute();
}

function findVersion(db: Db, appId: string, version: string): Promise<VersionRow | undefined> {
  return db
    .selectFrom("app_versions")
    .selectAll()
    .where("app_id", "=", appId)
    .where("version", "=", version)
    .executeTakeFirst();
}

/** Throws `AppError` not_found. */
export async function existingVersion(db: Db, appId: string, version: string): Promise<VersionRow> {
  const row = await findVersion(db, appId, version);
  if (row) return row;
  throw new AppError("not_found", `App ${appId} has no version ${version}.`);
}

/** A file of a version that may run; undefined if it does not exist or the version was withdrawn. */
export async function readBundleFile(
  { db }: Database,
  { appId, version, path }: { readonly appId: string; readonly version: string; readonly path: string },
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom("app_bundle_files as files")
    .innerJoin("app_versions as versions", (join) =>
      join.onRef("versions.app_id", "=", "files.app_id").onRef("versions.version", "=", "files.version"),
    )
    .select("files.bytes")
    .where("files.app_id", "=", appId)
    .where("files.version", "=", version)
    .where("files.path", "=", path)
    .where("versions.withdrawn_at", "is", null)
    .executeTakeFirst();
  return row && Buffer.from(row.bytes);
}

/** Activates a version, and moves every install that agreed to all its scopes. Returns how many moved. */
export async function activateVersion(
  trx: Db,
  { app_id, version, scopes }: Pick<VersionRow, "app_id" | "version" | "scopes">,
  at: Date,
): Promise<number> {
  await trx.updateTable("apps").set({ active_version: version }).where("id", "=", app_id).execute();
  const moved = await trx
    .updateTable("app_installs")
    .set({ version, updated_at: at })
    .where("app_id", "=", app_id)
    .where(sql<boolean>`scopes @> ${JSON.stringify(scopes)}::jsonb`)
    .executeTakeFirst();
  return Number(moved.numUpdatedRows);
}

export async function withdrawVersion(
  trx: Db,
  { app_id, version }: Pick<VersionRow, "app_id" | "version">,
  at: Date,
): Promise<VersionRow> {
  return trx
    .updateTable("app_versions")
    .set({ withdrawn_at: at })
    .where("app_id", "=", app_id)
    .where("version", "=", version)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The operator's decision to list an app; false when there is no such app. */
export async function setListed({ db }: Database, appId: string, listed: boolean): Promise<boolean> {
  const row = await db
    .updateTable("apps")
    .set({ listed })
    .where("id", "=", appId)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** The manifest as it was published. */
export function manifestOf({ manifest }: Pick<VersionRow, "manifest">): Manifest {
  return manifestSchema.parse(manifest);
}
