import type { AppKey } from "@parley/shared/contracts/apps.ts";
import type { Kysely, Selectable } from "kysely";
import type { Tables } from "../../database/tables.ts";

type Db = Kysely<Tables>;

export interface NewAppKey {
  readonly id: string;
  readonly orgId: string;
  readonly appId: string;
  readonly name: string;
  readonly secretHash: string;
  readonly lastFour: string;
  readonly createdBy: string;
  readonly at: Date;
}

export async function insertAppKey(trx: Db, key: NewAppKey): Promise<AppKey> {
  const row = await trx
    .insertInto("app_keys")
    .values({
      id: key.id,
      org_id: key.orgId,
      app_id: key.appId,
      name: key.name,
      secret_hash: key.secretHash,
      last_four: key.lastFour,
      created_by: key.createdBy,
      created_at: key.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toAppKey(row);
}

/** Keys, newest first, including revoked ones. */
export async function listAppKeys(db: Db, orgId: string, appId: string): Promise<AppKey[]> {
  const rows = await db
    .selectFrom("app_keys")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .orderBy("id", "desc")
    .execute();
  return rows.map(toAppKey);
}

export async function countUsableAppKeys(db: Db, orgId: string, appId: string): Promise<number> {
  const row = await db
    .selectFrom("app_keys")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Returns the key after revocation; undefined when none has that id. Revoking twice changes nothing. */
export async function revokeAppKey(
  db: Db,
  { orgId, appId, keyId, at }: { orgId: string; appId: string; keyId: string; at: Date },
): Promise<AppKey | undefined> {
  const row = await db
    .updateTable("app_keys")
    .set(({ fn, val }) => ({ revoked_at: fn.coalesce("revoked_at", val(at)) }))
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .where("id", "=", keyId)
    .returningAll()
    .executeTakeFirst();
  return row && toAppKey(row);
}

/** The key with that secret; undefined if unknown or revoked. Records that it was used. */
export async function useAppKey(
  db: Db,
  secretHash: string,
  at: Date,
): Promise<{ readonly keyId: string; readonly orgId: string; readonly appId: string } | undefined> {
  return db
    .updateTable("app_keys")
    .set({ last_used_at: at })
    .where("secret_hash", "=", secretHash)
    .where("revoked_at", "is", null)
    .returning(["id as keyId", "org_id as orgId", "app_id as appId"])
    .executeTakeFirst();
}

function toAppKey(row: Selectable<Tables["app_keys"]>): AppKey {
  return {
    id: row.id,
    name: row.name,
    lastFour: row.last_four,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}
