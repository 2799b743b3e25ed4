import type { ApiKey } from "@parley/shared/contracts/api-keys.ts";
import type { Role } from "@parley/shared/contracts/roles.ts";
import type { Kysely, Selectable } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

export interface NewKey {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly role: Role;
  readonly secretHash: string;
  readonly lastFour: string;
  readonly createdBy: string;
  readonly at: Date;
}

export async function insertKey(trx: Kysely<Tables>, key: NewKey): Promise<ApiKey> {
  const row = await trx
    .insertInto("api_keys")
    .values({
      id: key.id,
      org_id: key.orgId,
      name: key.name,
      role: key.role,
      secret_hash: key.secretHash,
      last_four: key.lastFour,
      created_by: key.createdBy,
      created_at: key.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toApiKey(row);
}

/** Includes revoked keys; newest first. */
export async function listKeys({ db }: Database, orgId: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom("api_keys")
    .selectAll()
    .where("org_id", "=", orgId)
    .orderBy("id", "desc")
    .execute();
  return rows.map(toApiKey);
}

/** Revokes all valid keys with this name. */
export async function revokeKeysNamed(
  trx: Kysely<Tables>,
  { orgId, name, at }: { orgId: string; name: string; at: Date },
): Promise<void> {
  await trx
    .updateTable("api_keys")
    .set({ revoked_at: at })
    .where("org_id", "=", orgId)
    .where("name", "=", name)
    .where("revoked_at", "is", null)
    .execute();
}

/** Returns the key afterwards; undefined if the organization has no such key. Repeating it changes nothing. */
export async function revokeKey(
  { db }: Database,
  { orgId, keyId, at }: { orgId: string; keyId: string; at: Date },
): Promise<ApiKey | undefined> {
  const row = await db
    .updateTable("api_keys")
    .set(({ fn, val }) => ({ revoked_at: fn.coalesce("revoked_at", val(at)) }))
    .where("org_id", "=", orgId)
    .where("id", "=", keyId)
    .returningAll()
    .executeTakeFirst();
  return row && toApiKey(row);
}

function toApiKey(row: Selectable<Tables["api_keys"]>): ApiKey {
  return {
    id: row.id,
    org_id: row.org_id,
    name: row.name,
    role: row.role,
    last_four: row.last_four,
    created_by: row.created_by,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
