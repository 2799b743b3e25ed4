import type { Role } from "@parley/shared/contracts/roles.ts";
import { type Kysely, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import type { Identifier } from "../otp/identifier.ts";

/** An account as sign-in needs it. */
export interface Account {
  readonly id: string;
  readonly email: string | null;
  readonly mobile: string | null;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly status: "active" | "deactivated";
  readonly verifiedAt: Date | null;
  readonly createdAt: Date;
  readonly mfaEnabled: boolean;
  /** The role in the first organization the user joined. */
  readonly role: Role | null;
}

function accounts(db: Kysely<Tables>) {
  return db
    .selectFrom("users")
    .leftJoin("mfa_totp", "mfa_totp.user_id", "users.id")
    .select((eb) => [
      "users.id as id",
      "users.email as email",
      "users.mobile as mobile",
      "users.name as name",
      "users.password_hash as passwordHash",
      "users.status as status",
      "users.verified_at as verifiedAt",
      "users.created_at as createdAt",
      sql<boolean>`mfa_totp.confirmed_at is not null`.as("mfaEnabled"),
      eb
        .selectFrom("memberships")
        .select("memberships.role")
        .whereRef("memberships.user_id", "=", "users.id")
        .orderBy("memberships.created_at")
        .orderBy("memberships.org_id")
        .limit(1)
        .as("role"),
    ]);
}

const column = ({ channel }: Identifier) => (channel === "email" ? "users.email" : "users.mobile");

export function findAccount({ db }: Database, identifier: Identifier): Promise<Account | undefined> {
  return accounts(db).where(column(identifier), "=", identifier.value).executeTakeFirst();
}

export function findAccountById(db: Kysely<Tables>, userId: string): Promise<Account | undefined> {
  return accounts(db).where("users.id", "=", userId).executeTakeFirst();
}

export interface NewAccount {
  readonly id: string;
  readonly identifier: Identifier;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly verifiedAt: Date | null;
  readonly at: Date;
}

/** Returns false if the identifier is taken. */
export async function insertAccount(db: Kysely<Tables>, account: NewAccount): Promise<boolean> {
  const { id, identifier, name, passwordHash, verifiedAt, at } = account;
  const { channel, value } = identifier;
  const inserted = await db
    .insertInto("users")
    .values({
      id,
      email: channel === "email" ? value : null,
      mobile: channel === "phone" ? value : null,
      name,
      password_hash: passwordHash,
      status: "active",
      verified_at: verifiedAt,
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function setPasswordHash(db: Kysely<Tables>, userId: string, hash: string): Promise<void> {
  await db.updateTable("users").set({ password_hash: hash }).where("id", "=", userId).execute();
}

/** Replaces the password that was verified; returns false if it is no longer the account's. */
export async function replacePasswordHash(
  db: Kysely<Tables>,
  userId: string,
  { from, to }: { from: string | null; to: string },
): Promise<boolean> {
  const replaced = await db
    .updateTable("users")
    .set({ password_hash: to })
    .where("id", "=", userId)
    .where("password_hash", "=", from)
    .where("status", "=", "active")
    .returning("id")
    .executeTakeFirst();
  return replaced !== undefined;
}

export async function markVerified(db: Kysely<Tables>, userId: string, at: Date): Promise<void> {
  await db
    .updateTable("users")
    .set({ verified_at: at })
    .where("id", "=", userId)
    .where("verified_at", "is", null)
    .execute();
}

export async function deactivateAccount(db: Kysely<Tables>, userId: string): Promise<void> {
  await db.updateTable("users").set({ status: "deactivated" }).where("id", "=", userId).execute();
}

export async function listMemberships({ db }: Database, userId: string) {
  return db
    .selectFrom("memberships")
    .innerJoin("organizations", "organizations.id", "memberships.org_id")
    .select(["organizations.id as id", "organizations.name as name", "memberships.role as role"])
    .where("memberships.user_id", "=", userId)
    .orderBy("memberships.created_at")
    .orderBy("organizations.id")
    .execute();
}

/** Organizations that would have members but no owner without this user. */
export async function listOrgsOwnedAlone(db: Kysely<Tables>, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("memberships as mine")
    .innerJoin("organizations", "organizations.id", "mine.org_id")
    .select("organizations.name as name")
    .where("mine.user_id", "=", userId)
    .where("mine.role", "=", "owner")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("memberships as other")
          .select("other.user_id")
          .whereRef("other.org_id", "=", "mine.org_id")
          .where("other.user_id", "!=", userId),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("memberships as owner")
            .innerJoin("users", "users.id", "owner.user_id")
            .select("owner.user_id")
            .whereRef("owner.org_id", "=", "mine.org_id")
            .where("owner.user_id", "!=", userId)
            .where("owner.role", "=", "owner")
            .where("users.status", "=", "active"),
        ),
      ),
    )
    .execute();
  return rows.map(({ name }) => name);
}
