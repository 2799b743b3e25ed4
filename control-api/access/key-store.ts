import type { Database } from "@parley/shared/database/open.ts";
import type { Role } from "@parley/shared/database/tables.ts";

export interface StoredKey {
  readonly keyId: string;
  readonly orgId: string;
  readonly role: Role;
  readonly userId: string;
}

/** The usable key with this hash: not revoked, its creator active. */
export async function findUsableKey({ db }: Database, secretHash: string): Promise<StoredKey | undefined> {
  return db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.created_by")
    .select([
      "api_keys.id as keyId",
      "api_keys.org_id as orgId",
      "api_keys.role as role",
      "api_keys.created_by as userId",
    ])
    .where("secret_hash", "=", secretHash)
    .where("revoked_at", "is", null)
    .where("users.status", "=", "active")
    .executeTakeFirst();
}

export async function markKeysUsed({ db }: Database, keyIds: readonly string[], at: Date): Promise<void> {
  await db.updateTable("api_keys").set({ last_used_at: at }).where("id", "in", keyIds).execute();
}
