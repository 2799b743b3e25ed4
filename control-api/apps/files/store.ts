import type { FileMeta } from "@parley/platform/methods/files.ts";
import { FILE_LIMITS } from "@parley/platform/methods/limits.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { lockInstall } from "../installs/store.ts";

type Db = Kysely<Tables>;

export interface FilesOf {
  readonly orgId: string;
  readonly appId: string;
}

export interface NewFile extends FilesOf {
  readonly id: string;
  readonly path: string;
  readonly key: string;
  readonly sizeBytes: number;
  readonly at: Date;
}

/** Multiple of the quota for all files, including those being stored and those awaiting deletion. */
const KEPT_TIMES = 2;
const SWEEP_MS = 60_000;
const OCTETS = "application/octet-stream";

/**
 * Reserves room for a file to be stored; the file stays hidden until `showFile`. Uploads of an app are serialized, so
 * none slips past the quota. Throws `BridgeError` quota_exceeded, rate_limited, `AppError` not_found.
 */
export async function reserveFile(trx: Db, file: NewFile): Promise<void> {
  const { orgId, appId, id, path, key, sizeBytes, at } = file;
  await lockInstall(trx, orgId, appId);
  assertRoom(await usedBeside(trx, file), sizeBytes);
  const kept = await usedBeside(trx, file, "hidden as well");
  if (
    kept.files > KEPT_TIMES * FILE_LIMITS.files ||
    kept.bytes + sizeBytes > KEPT_TIMES * FILE_LIMITS.totalBytes
  )
    throw new BridgeError(
      "rate_limited",
      "Files are replaced faster than old ones are deleted; wait a while.",
      {
        retryAfterMs: SWEEP_MS,
      },
    );
  await trx
    .insertInto("app_files")
    .values({
      ...{ id, path, key },
      org_id: orgId,
      app_id: appId,
      size_bytes: sizeBytes,
      updated_at: at,
      hidden_at: at,
    })
    .execute();
}

/**
 * What the app stores, without the file of this path, which would be replaced. Hidden files are deleted soon: they no
 * longer belong to the app, but still take room.
 */
async function usedBeside(
  trx: Db,
  { orgId, appId, path }: NewFile,
  of: "shown" | "hidden as well" = "shown",
): Promise<{ readonly files: number; readonly bytes: number }> {
  const used = await trx
    .selectFrom("app_files")
    .select(({ fn }) => [fn.countAll<string>().as("files"), fn.sum<string | null>("size_bytes").as("bytes")])
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .$if(of === "shown", (query) => query.where("hidden_at", "is", null).where("path", "!=", path))
    .executeTakeFirstOrThrow();
  return { files: Number(used.files), bytes: Number(used.bytes ?? 0) };
}

/** Throws `BridgeError` quota_exceeded. */
function assertRoom(used: { readonly files: number; readonly bytes: number }, sizeBytes: number): void {
  const { files, totalBytes } = FILE_LIMITS;
  if (used.files >= files)
    throw new BridgeError("quota_exceeded", `An app stores at most ${files} files; delete some first.`);
  if (used.bytes + sizeBytes > totalBytes)
    throw new BridgeError("quota_exceeded", `An app stores at most ${totalBytes} bytes; delete files first.`);
}

/**
 * Replaces the previous file. Returns false if storing took so long that the sweeper already removed it. Throws
 * `BridgeError` quota_exceeded when others were stored meanwhile.
 */
export async function showFile(trx: Db, file: NewFile): Promise<boolean> {
  const { orgId, appId, path, id, at, sizeBytes } = file;
  await lockInstall(trx, orgId, appId);
  assertRoom(await usedBeside(trx, file), sizeBytes);
  await hideFile(trx, { orgId, appId, path, at });
  const shown = await trx
    .updateTable("app_files")
    .set({ hidden_at: null })
    .where("id", "=", id)
    .where("hidden_at", "=", at)
    .returning("id")
    .executeTakeFirst();
  return shown !== undefined;
}

/** Hides a file; false when there is none. The sweeper deletes its bytes. */
export async function hideFile(
  db: Db,
  { orgId, appId, path, at }: FilesOf & { readonly path: string; readonly at: Date },
): Promise<boolean> {
  const row = await db
    .updateTable("app_files")
    .set({ hidden_at: at })
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .where("path", "=", path)
    .where("hidden_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Hides all files of an uninstalled app. */
export async function hideAllFiles(trx: Db, { orgId, appId }: FilesOf, at: Date): Promise<void> {
  await trx
    .updateTable("app_files")
    .set({ hidden_at: at })
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .execute();
}

export async function findFile(
  db: Db,
  { orgId, appId }: FilesOf,
  path: string,
): Promise<{ readonly key: string; readonly size_bytes: number } | undefined> {
  return db
    .selectFrom("app_files")
    .select(["key", "size_bytes"])
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .where("path", "=", path)
    .where("hidden_at", "is", null)
    .executeTakeFirst();
}

/** Files with the prefix, by path. */
export async function listFiles(db: Db, { orgId, appId }: FilesOf, prefix: string): Promise<FileMeta[]> {
  const rows = await db
    .selectFrom("app_files")
    .select(["path", "size_bytes", "updated_at"])
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .where("hidden_at", "is", null)
    .where(({ eb, fn, val }) => eb(fn("starts_with", ["path", val(prefix)]), "=", true))
    .orderBy("path")
    .execute();
  return rows.map(({ path, size_bytes, updated_at }) => ({
    path,
    contentType: OCTETS,
    sizeBytes: size_bytes,
    updatedAt: updated_at.toISOString(),
  }));
}

/** Files hidden for so long that no upload of them can be in progress. */
export function listHidden(db: Db, before: Date): Promise<{ id: string; key: string }[]> {
  return db
    .selectFrom("app_files")
    .select(["id", "key"])
    .where("hidden_at", "<", before)
    .orderBy("hidden_at")
    .limit(500)
    .execute();
}

/** Deletes the row of a file whose bytes are gone. */
export async function deleteFileRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("app_files").where("id", "=", id).where("hidden_at", "is not", null).execute();
}
