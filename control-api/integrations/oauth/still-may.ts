import type { Role } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import { roleOfActive } from "../../identity/memberships/store.ts";

interface Begun {
  readonly orgId: string;
  /** Of the member, or of the key. */
  readonly userId: string;
  readonly isByKey?: boolean;
}

/**
 * Throws `AppError` forbidden if who began a consent may no longer connect accounts: consents take up to ten minutes
 * (docs/decisions/integrations.md#consents-end-with-the-right).
 */
export async function assertStillMay(
  { orgId, userId, isByKey }: Begun,
  roles: readonly Role[],
  { db }: Database,
): Promise<void> {
  const role = isByKey
    ? await roleOfKey(db, { orgId, keyId: userId })
    : await roleOfActive(db, { orgId, userId });
  if (role !== undefined && roles.includes(role)) return;
  throw new AppError(
    "forbidden",
    "Whoever started this sign-in may no longer connect accounts of this organization. Ask an owner or admin to start it again.",
  );
}

/** The role of a key that was not revoked, and whose maker is active. */
async function roleOfKey(
  db: Database["db"],
  { orgId, keyId }: { readonly orgId: string; readonly keyId: string },
): Promise<Role | undefined> {
  const key = await db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.created_by")
    .select("api_keys.role")
    .where("api_keys.id", "=", keyId)
    .where("api_keys.org_id", "=", orgId)
    .where("api_keys.revoked_at", "is", null)
    .where("users.status", "=", "active")
    .executeTakeFirst();
  return key?.role;
}
