import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

export async function findTotp(db: Kysely<Tables>, userId: string) {
  return db
    .selectFrom("mfa_totp")
    .select(["secret_sealed as secretSealed", "confirmed_at as confirmedAt", "last_step as lastStep"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** Begins an enrollment, replacing an unconfirmed one. Returns false if one is confirmed. */
export async function beginTotp(
  db: Kysely<Tables>,
  totp: { userId: string; secretSealed: string; at: Date },
): Promise<boolean> {
  const { userId, secretSealed, at } = totp;
  const written = await db
    .insertInto("mfa_totp")
    .values({ user_id: userId, secret_sealed: secretSealed, created_at: at })
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .doUpdateSet({ secret_sealed: secretSealed, created_at: at, last_step: null })
        .where("mfa_totp.confirmed_at", "is", null),
    )
    .returning("user_id")
    .executeTakeFirst();
  return written !== undefined;
}

/**
 * Records a code's time step; returns false if that step or a later one was already used, or if the secret that the code
 * was compared with has been replaced since: the app that shows the code would then be locked out.
 */
export async function useStep(
  db: Kysely<Tables>,
  used: { userId: string; secretSealed: string; step: number; confirmAt?: Date },
): Promise<boolean> {
  const { userId, secretSealed, step, confirmAt } = used;
  const row = await db
    .updateTable("mfa_totp")
    .set({ last_step: step, ...(confirmAt ? { confirmed_at: confirmAt } : {}) })
    .where("user_id", "=", userId)
    .where("secret_sealed", "=", secretSealed)
    .where(({ or, eb }) => or([eb("last_step", "is", null), eb("last_step", "<", step)]))
    .$if(confirmAt !== undefined, (query) => query.where("confirmed_at", "is", null))
    .returning("user_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function replaceRecoveryCodes(
  db: Kysely<Tables>,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await db.deleteFrom("mfa_recovery_codes").where("user_id", "=", userId).execute();
  if (hashes.length === 0) return;
  await db
    .insertInto("mfa_recovery_codes")
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute();
}

/** Returns true only to the caller that uses it up. */
export async function useRecoveryCode(
  db: Kysely<Tables>,
  { userId, hash, at }: { userId: string; hash: string; at: Date },
): Promise<boolean> {
  const used = await db
    .updateTable("mfa_recovery_codes")
    .set({ used_at: at })
    .where("user_id", "=", userId)
    .where("code_hash", "=", hash)
    .where("used_at", "is", null)
    .returning("user_id")
    .executeTakeFirst();
  return used !== undefined;
}

export async function deleteTotp(db: Kysely<Tables>, userId: string): Promise<void> {
  await db.deleteFrom("mfa_totp").where("user_id", "=", userId).execute();
  await db.deleteFrom("mfa_recovery_codes").where("user_id", "=", userId).execute();
}

export async function insertPending(
  db: Kysely<Tables>,
  pending: { tokenHash: string; userId: string; expiresAt: Date },
): Promise<void> {
  const { tokenHash, userId, expiresAt } = pending;
  await db
    .insertInto("mfa_pending")
    .values({ token_hash: tokenHash, user_id: userId, expires_at: expiresAt })
    .execute();
}

export async function findPending(db: Kysely<Tables>, tokenHash: string, at: Date) {
  return db
    .selectFrom("mfa_pending")
    .select("user_id as userId")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", at)
    .executeTakeFirst();
}

/** Returns true only to the caller that uses it up. */
export async function takePending(db: Kysely<Tables>, tokenHash: string): Promise<boolean> {
  const taken = await db
    .deleteFrom("mfa_pending")
    .where("token_hash", "=", tokenHash)
    .returning("token_hash")
    .executeTakeFirst();
  return taken !== undefined;
}

export async function deleteOldPending({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("mfa_pending").where("expires_at", "<", before).execute();
}
