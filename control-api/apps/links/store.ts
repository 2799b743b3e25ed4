import type { Kysely, Selectable } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

type Db = Kysely<Tables>;
export type StoredLink = Selectable<Tables["app_links"]>;

export interface NewLink {
  readonly id: string;
  readonly orgId: string;
  readonly appId: string;
  readonly tokenHash: string;
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly singleUse: boolean;
  readonly codeHash: string | null;
  readonly createdBy: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

export async function insertLink(db: Db, link: NewLink): Promise<void> {
  await db
    .insertInto("app_links")
    .values({
      id: link.id,
      org_id: link.orgId,
      app_id: link.appId,
      token_hash: link.tokenHash,
      action: link.action,
      target_type: link.targetType,
      target_id: link.targetId,
      context: JSON.stringify(link.context),
      single_use: link.singleUse,
      code_hash: link.codeHash,
      created_by: link.createdBy,
      created_at: link.at,
      expires_at: link.expiresAt,
    })
    .execute();
}

/** Links of one app in one organization, newest first. */
export async function listLinks(
  db: Db,
  { orgId, appId, limit }: { readonly orgId: string; readonly appId: string; readonly limit: number },
): Promise<StoredLink[]> {
  return db
    .selectFrom("app_links")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** False when no link has that id, or it had ended. */
export async function revokeLink(
  db: Db,
  {
    orgId,
    appId,
    id,
    at,
  }: { readonly orgId: string; readonly appId: string; readonly id: string; readonly at: Date },
): Promise<boolean> {
  const revoked = await db
    .updateTable("app_links")
    .set({ revoked_at: at })
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", at)
    .where(({ or, eb }) => or([eb("single_use", "=", false), eb("used_at", "is", null)]))
    .returning("id")
    .executeTakeFirst();
  return revoked !== undefined;
}

/** Finds a link while the app that made it is installed. */
export async function findLink(db: Db, tokenHash: string): Promise<StoredLink | undefined> {
  return db
    .selectFrom("app_links")
    .innerJoin("app_installs", (join) =>
      join
        .onRef("app_installs.org_id", "=", "app_links.org_id")
        .onRef("app_installs.app_id", "=", "app_links.app_id"),
    )
    .selectAll("app_links")
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
}

/** Uses a link; false if it ended meanwhile. A single statement: of concurrent uses one succeeds. */
export async function useLink(db: Db, id: string, at: Date): Promise<boolean> {
  const used = await db
    .updateTable("app_links")
    .set({ used_at: at })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", at)
    .where(({ or, eb }) => or([eb("single_use", "=", false), eb("used_at", "is", null)]))
    .returning("id")
    .executeTakeFirst();
  return used !== undefined;
}

/** Gives a link for single use back when its conversation did not begin. */
export async function giveLinkBack(db: Db, id: string): Promise<void> {
  await db.updateTable("app_links").set({ used_at: null }).where("id", "=", id).execute();
}

/** Deletes the links of an app that is uninstalled: they would open again if it were installed again. */
export async function deleteLinks(
  trx: Db,
  { orgId, appId }: { readonly orgId: string; readonly appId: string },
): Promise<void> {
  await trx.deleteFrom("app_links").where("org_id", "=", orgId).where("app_id", "=", appId).execute();
}

export async function deleteOldLinks({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("app_links").where("expires_at", "<", before).execute();
}
