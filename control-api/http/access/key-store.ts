import type { Role } from "@parley/shared/contracts/roles.ts";
import type { Database } from "../../database/open.ts";

export interface StoredKey {
  readonly keyId: string;
  readonly name: string;
  readonly lastFour: string;
  readonly role: Role;
  readonly orgId: string;
  readonly orgName: string;
  /** The key's creator, who is billed. */
  readonly userId: string;
}

/** Finds the usable key with this hash: not revoked, its creator active. */
export async function findUsableKey({ db }: Database, secretHash: string): Promise<StoredKey | undefined> {
  return db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.created_by")
    .innerJoin("organizations", "organizations.id", "api_keys.org_id")
    .select([
      "api_keys.id as keyId",
      "api_keys.name as name",
      "api_keys.last_four as lastFour",
      "api_keys.role as role",
      "api_keys.org_id as orgId",
      "organizations.name as orgName",
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
