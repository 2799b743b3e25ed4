import type { Role } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";

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
  const found = isByKey
    ? await db
        .selectFrom("api_keys")
        .innerJoin("users", "users.id", "api_keys.created_by")
        .select("api_keys.role")
        .where("api_keys.id", "=", userId)
        .where("api_keys.org_id", "=", orgId)
        .where("api_keys.revoked_at", "is", null)
        .where("users.status", "=", "active")
        .executeTakeFirst()
    : await db
        .selectFrom("memberships")
        .innerJoin("users", "users.id", "memberships.user_id")
        .select("memberships.role")
        .where("memberships.user_id", "=", userId)
        .where("memberships.org_id", "=", orgId)
        .where("users.status", "=", "active")
        .executeTakeFirst();
  if (found && roles.includes(found.role)) return;
  throw new AppError(
    "forbidden",
    "Whoever started this sign-in may no longer connect accounts of this organization. Ask an owner or admin to start it again.",
  );
}
