import { type Kysely, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

export const MAX_GUESSES = 5;

export interface NewCode {
  readonly id: string;
  readonly purpose: "login" | "verify";
  readonly userId: string | null;
  readonly channel: "email" | "phone";
  readonly destination: string;
  readonly codeHash: string;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

export async function insertCode({ db }: Database, code: NewCode): Promise<void> {
  await db
    .insertInto("one_time_codes")
    .values({
      id: code.id,
      purpose: code.purpose,
      user_id: code.userId,
      channel: code.channel,
      destination: code.destination,
      code_hash: code.codeHash,
      sent_at: code.sentAt,
      expires_at: code.expiresAt,
    })
    .execute();
}

export async function findCode({ db }: Database, id: string) {
  return db
    .selectFrom("one_time_codes")
    .select([
      "purpose",
      "user_id as userId",
      "channel",
      "destination",
      "attempts",
      "sent_at as sentAt",
      "consumed_at as consumedAt",
    ])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Replaces the code; guesses stay counted. Returns false if another resend came first. */
export async function replaceCode(
  { db }: Database,
  id: string,
  next: { codeHash: string; sentAt: Date; expiresAt: Date; lastSentAt: Date },
): Promise<boolean> {
  const replaced = await db
    .updateTable("one_time_codes")
    .set({ code_hash: next.codeHash, sent_at: next.sentAt, expires_at: next.expiresAt })
    .where("id", "=", id)
    .where("sent_at", "=", next.lastSentAt)
    .where("consumed_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return replaced !== undefined;
}

/** Takes one guess before the code is compared, so that concurrent guesses all count. */
export async function takeGuess(
  { db }: Database,
  id: string,
  { purpose, at }: { purpose: "login" | "verify"; at: Date },
) {
  return db
    .updateTable("one_time_codes")
    .set({ attempts: sql<number>`attempts + 1` })
    .where("id", "=", id)
    .where("purpose", "=", purpose)
    .where("attempts", "<", MAX_GUESSES)
    .where("consumed_at", "is", null)
    .where("expires_at", ">", at)
    .returning(["user_id as userId", "code_hash as codeHash"])
    .executeTakeFirst();
}

/** Returns the guess of a correct code. */
export async function giveGuessBack({ db }: Database, id: string): Promise<void> {
  await db
    .updateTable("one_time_codes")
    .set({ attempts: sql<number>`attempts - 1` })
    .where("id", "=", id)
    .execute();
}

/** Returns true only to the caller that uses it up. */
export async function consumeCode(db: Kysely<Tables>, id: string, at: Date): Promise<boolean> {
  const consumed = await db
    .updateTable("one_time_codes")
    .set({ consumed_at: at })
    .where("id", "=", id)
    .where("consumed_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return consumed !== undefined;
}

export async function deleteOldCodes({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("one_time_codes").where("expires_at", "<", before).execute();
}
