import type { Role } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import { type Kysely, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

export async function insertOrganization(
  trx: Kysely<Tables>,
  { id, name, ownerId, at }: { id: string; name: string; ownerId: string; at: Date },
): Promise<void> {
  await trx.insertInto("organizations").values({ id, name, created_at: at }).execute();
  await insertMembership(trx, { orgId: id, userId: ownerId, role: "owner", at });
}

/** Returns false if the user is already a member. */
export async function insertMembership(
  trx: Kysely<Tables>,
  { orgId, userId, role, at }: { orgId: string; userId: string; role: Role; at: Date },
): Promise<boolean> {
  const inserted = await trx
    .insertInto("memberships")
    .values({ org_id: orgId, user_id: userId, role, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning("org_id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findOrganization({ db }: Database, orgId: string) {
  return db
    .selectFrom("organizations")
    .select(["id", "name", "created_at as createdAt"])
    .where("id", "=", orgId)
    .executeTakeFirst();
}

export async function renameOrganization({ db }: Database, orgId: string, name: string): Promise<void> {
  await db.updateTable("organizations").set({ name }).where("id", "=", orgId).execute();
}

/** Serializes changes of ownership: of two owners who leave at once, the second sees the first one gone. */
export async function lockOrganization(trx: Kysely<Tables>, orgId: string): Promise<void> {
  await trx.selectFrom("organizations").select("id").where("id", "=", orgId).forNoKeyUpdate().execute();
}

/**
 * Locks the organization's roles and returns the user's current role, since the request's may be outdated. Throws
 * `AppError` forbidden if it is no longer one of `allowed`, token_invalid if the sign-in ended.
 */
export async function lockRole(
  trx: Kysely<Tables>,
  { orgId, userId, sessionId }: { orgId: string; userId: string; sessionId: string },
  allowed: readonly Role[],
): Promise<Role> {
  await lockOrganization(trx, orgId);
  const session = await trx
    .selectFrom("user_sessions")
    .select("id")
    .where("id", "=", sessionId)
    .where("revoked_at", "is", null)
    .forShare()
    .executeTakeFirst();
  if (!session) throw new AppError("token_invalid", "This session has ended. Sign in again.");
  const membership = await trx
    .selectFrom("memberships")
    .select("role")
    .where("org_id", "=", orgId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (membership && allowed.includes(membership.role)) return membership.role;
  throw new AppError("forbidden", "Your role in this organization has just changed. Reload the page.");
}

/** Like `lockOrganization` for all organizations of a user, in a fixed order so that two such locks never deadlock. */
export async function lockOrganizationsOf(trx: Kysely<Tables>, userId: string): Promise<void> {
  await trx
    .selectFrom("organizations")
    .select("id")
    .where("id", "in", (eb) => eb.selectFrom("memberships").select("org_id").where("user_id", "=", userId))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

export function selectMembers(db: Kysely<Tables>, orgId: string) {
  return db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .leftJoin("mfa_totp", "mfa_totp.user_id", "users.id")
    .select([
      "users.id as userId",
      "users.email as email",
      "users.mobile as mobile",
      "users.name as name",
      "users.status as status",
      "memberships.role as role",
      "memberships.created_at as joinedAt",
      sql<boolean>`mfa_totp.confirmed_at is not null`.as("mfaEnabled"),
    ])
    .where("memberships.org_id", "=", orgId)
    .orderBy("memberships.created_at")
    .orderBy("users.id");
}

/** The role of a member whose account is active; undefined of anybody else. */
export async function roleOfActive(
  db: Kysely<Tables>,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
): Promise<Role | undefined> {
  const member = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("memberships.role")
    .where("memberships.org_id", "=", orgId)
    .where("memberships.user_id", "=", userId)
    .where("users.status", "=", "active")
    .executeTakeFirst();
  return member?.role;
}

/** Active owners other than this user. */
export async function countOtherOwners(trx: Kysely<Tables>, orgId: string, userId: string): Promise<number> {
  const { count } = await trx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("memberships.org_id", "=", orgId)
    .where("memberships.role", "=", "owner")
    .where("memberships.user_id", "!=", userId)
    .where("users.status", "=", "active")
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function updateRole(
  trx: Kysely<Tables>,
  { orgId, userId, role }: { orgId: string; userId: string; role: Role },
): Promise<void> {
  await trx
    .updateTable("memberships")
    .set({ role })
    .where("org_id", "=", orgId)
    .where("user_id", "=", userId)
    .execute();
}

export async function deleteMembership(trx: Kysely<Tables>, orgId: string, userId: string): Promise<void> {
  await trx.deleteFrom("memberships").where("org_id", "=", orgId).where("user_id", "=", userId).execute();
}

export async function countKeysOf(trx: Kysely<Tables>, orgId: string, userId: string): Promise<number> {
  const { count } = await trx
    .selectFrom("api_keys")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("org_id", "=", orgId)
    .where("created_by", "=", userId)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
