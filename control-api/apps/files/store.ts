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

const OCTETS = "application/octet-stream";

/**
 * Makes room for a file that is about to be stored; nobody sees it before `showFile`. Uploads of an app take their turns, so
 * that none slips past the quota. Throws `BridgeError` quota_exceeded, `AppError` not_found.
 */
export async function reserveFile(trx: Db, file: NewFile): Promise<void> {
  const { orgId, appId, id, path, key, sizeBytes, at } = file;
  await lockInstall(trx, orgId, appId);
  const used = await trx
    .selectFrom("app_files")
    .select(({ fn }) => [fn.countAll<string>().as("files"), fn.sum<string | null>("size_bytes").as("bytes")])
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .executeTakeFirstOrThrow();
  if (Number(used.files) >= FILE_LIMITS.files)
    throw new BridgeError(
      "quota_exceeded",
      `An app stores at most ${FILE_LIMITS.files} files; delete some first.`,
    );
  if (Number(used.bytes ?? 0) + sizeBytes > FILE_LIMITS.totalBytes)
    throw new BridgeError(
      "quota_exceeded",
      `An app stores at most ${FILE_LIMITS.totalBytes} bytes; delete files first.`,
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

/** It takes the place of the one before. False when storing it took so long that it is being swept away. */
export async function showFile(trx: Db, { orgId, appId, path, id, at }: NewFile): Promise<boolean> {
  await lockInstall(trx, orgId, appId);
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

/** False when there is none. Its bytes go when hidden files are swept. */
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

/** All of an app that is uninstalled. */
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

/** By path. */
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

/** Hidden for so long that no upload of them goes on. */
export function listHidden(db: Db, before: Date): Promise<{ id: string; key: string }[]> {
  return db
    .selectFrom("app_files")
    .select(["id", "key"])
    .where("hidden_at", "<", before)
    .orderBy("hidden_at")
    .limit(500)
    .execute();
}

/** Its bytes are gone. */
export async function deleteFileRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("app_files").where("id", "=", id).where("hidden_at", "is not", null).execute();
}
