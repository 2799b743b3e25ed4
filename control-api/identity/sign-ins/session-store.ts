import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly method: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

export interface NewRefreshToken {
  readonly hash: string;
  readonly sessionId: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

export async function insertSession(
  trx: Kysely<Tables>,
  session: NewSession,
  refreshToken: NewRefreshToken,
): Promise<void> {
  await trx
    .insertInto("user_sessions")
    .values({
      id: session.id,
      user_id: session.userId,
      method: session.method,
      ip: session.ip,
      user_agent: session.userAgent,
      created_at: session.at,
      last_used_at: session.at,
      expires_at: session.expiresAt,
    })
    .execute();
  await insertRefreshToken(trx, refreshToken);
}

/**
 * Whether an account still has the verified password and second factor; locks them until the transaction ends. Changes
 * of either lock the account's row first and end its sign-ins in the same transaction, so none slips in between.
 */
export async function isStill(
  trx: Kysely<Tables>,
  userId: string,
  verified: { readonly passwordHash: string | null; readonly mfaEnabled: boolean },
): Promise<boolean> {
  const user = await trx
    .selectFrom("users")
    .select(["password_hash as passwordHash", "status"])
    .where("id", "=", userId)
    .forShare()
    .executeTakeFirst();
  const totp = await trx
    .selectFrom("mfa_totp")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  if (user?.status !== "active" || user.passwordHash !== verified.passwordHash) return false;
  return (totp !== undefined) === verified.mfaEnabled;
}

export async function lockUser(trx: Kysely<Tables>, userId: string): Promise<void> {
  await trx.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
}

async function insertRefreshToken(db: Kysely<Tables>, token: NewRefreshToken): Promise<void> {
  await db
    .insertInto("refresh_tokens")
    .values({
      token_hash: token.hash,
      session_id: token.sessionId,
      created_at: token.at,
      expires_at: token.expiresAt,
    })
    .execute();
}

/** Finds a refresh token and its sign-in, locked until the transaction ends: concurrent refreshes run in turn. */
export async function lockRefreshToken(trx: Kysely<Tables>, hash: string) {
  return trx
    .selectFrom("refresh_tokens")
    .innerJoin("user_sessions", "user_sessions.id", "refresh_tokens.session_id")
    .innerJoin("users", "users.id", "user_sessions.user_id")
    .select([
      "refresh_tokens.expires_at as expiresAt",
      "refresh_tokens.used_at as usedAt",
      "refresh_tokens.successor_sealed as successorSealed",
      "user_sessions.id as sessionId",
      "user_sessions.user_id as userId",
      "user_sessions.expires_at as sessionExpiresAt",
      "user_sessions.revoked_at as revokedAt",
      "users.status as userStatus",
    ])
    .where("token_hash", "=", hash)
    .forUpdate(["refresh_tokens", "user_sessions"])
    .executeTakeFirst();
}

export async function replaceRefreshToken(
  trx: Kysely<Tables>,
  usedHash: string,
  { successor, successorSealed }: { successor: NewRefreshToken; successorSealed: string },
): Promise<void> {
  await insertRefreshToken(trx, successor);
  await trx
    .updateTable("refresh_tokens")
    .set({ used_at: successor.at, successor_sealed: successorSealed })
    .where("token_hash", "=", usedHash)
    .execute();
  await trx
    .updateTable("user_sessions")
    .set({ last_used_at: successor.at })
    .where("id", "=", successor.sessionId)
    .execute();
}

export interface Revocation {
  readonly reason: string;
  readonly at: Date;
}

/** Returns the ids of those that were still valid. */
export async function revokeSessions(
  db: Kysely<Tables>,
  userId: string,
  { reason, at, only, except }: Revocation & { only?: string | undefined; except?: string | undefined },
): Promise<string[]> {
  const rows = await db
    .updateTable("user_sessions")
    .set({ revoked_at: at, revoked_reason: reason })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .$if(only !== undefined, (query) => query.where("id", "=", only ?? ""))
    .$if(except !== undefined, (query) => query.where("id", "!=", except ?? ""))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Valid sign-ins, most recently used first. */
export async function listSessions(
  { db }: Database,
  userId: string,
  { at, usedSince }: { at: Date; usedSince: Date },
) {
  return db
    .selectFrom("user_sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", at)
    .where("last_used_at", ">", usedSince)
    .orderBy("last_used_at", "desc")
    .orderBy("id", "desc")
    .limit(200)
    .execute();
}

/** Deletes sign-ins and refresh tokens that can no longer be used. */
export async function deleteOldSessions({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("user_sessions").where("expires_at", "<", before).execute();
  await db.deleteFrom("refresh_tokens").where("expires_at", "<", before).execute();
}

export async function findSessionStart({ db }: Database, sessionId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom("user_sessions")
    .select("created_at as createdAt")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return row?.createdAt;
}
