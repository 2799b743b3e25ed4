import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

export async function insertReset(
  { db }: Database,
  reset: { tokenHash: string; userId: string | null; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto("password_resets")
    .values({ token_hash: reset.tokenHash, user_id: reset.userId, expires_at: reset.expiresAt })
    .execute();
}

/** Redeems a reset token once. */
export async function takeReset(
  trx: Kysely<Tables>,
  tokenHash: string,
  at: Date,
): Promise<string | undefined> {
  const taken = await trx
    .updateTable("password_resets")
    .set({ used_at: at })
    .where("token_hash", "=", tokenHash)
    .where("used_at", "is", null)
    .where("expires_at", ">", at)
    .where("user_id", "is not", null)
    .returning("user_id")
    .executeTakeFirst();
  return taken?.user_id ?? undefined;
}

/** Invalidates earlier reset links once a password is set. */
export async function endResets(db: Kysely<Tables>, userId: string, at: Date): Promise<void> {
  await db
    .updateTable("password_resets")
    .set({ used_at: at })
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .execute();
}

export async function deleteOldResets({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("password_resets").where("expires_at", "<", before).execute();
}
