import type { DncNumber, DncQuery, DncSource } from "@parley/shared/contracts/do-not-call.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { takeBackOptOut } from "../../messaging/opt-out/take-back.ts";
import { spellingsOf } from "../phones.ts";

type Db = Kysely<Tables>;
/** Rows per statement: Postgres bounds its parameters. */
const AT_ONCE = 1_000;

export interface NewDncNumbers {
  readonly orgId: string;
  readonly numbers: readonly string[];
  readonly reason: string;
  readonly source: DncSource;
  readonly sessionId?: string | undefined;
  readonly addedBy?: string | undefined;
  readonly at: Date;
}

/** Returns how many numbers were new to the list. */
export async function insertNumbers(
  db: Db,
  { orgId, numbers, reason, source, sessionId, addedBy, at }: NewDncNumbers,
): Promise<number> {
  let added = 0;
  // In one order, so that two tables with the same numbers wait for each other.
  const sorted = numbers.toSorted();
  for (let i = 0; i < sorted.length; i += AT_ONCE) {
    const about = { reason, source, session_id: sessionId ?? null, added_by: addedBy ?? null };
    const rows = sorted
      .slice(i, i + AT_ONCE)
      .map((number) => ({ org_id: orgId, number, ...about, created_at: at }));
    const result = await db
      .insertInto("do_not_call")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    added += Number(result.numInsertedOrUpdatedRows ?? 0);
  }
  return added;
}

/** Returns the given numbers that are on the list, however it spells them. */
export async function findBlocked(db: Db, orgId: string, numbers: readonly string[]): Promise<Set<string>> {
  if (numbers.length === 0) return new Set();
  const rows = await db
    .selectFrom("do_not_call")
    .select("number")
    .where("org_id", "=", orgId)
    .where(sql<boolean>`number = any(${numbers.flatMap(spellingsOf)}::text[])`)
    .execute();
  const listed = new Set(rows.map(({ number }) => number));
  return new Set(numbers.filter((number) => spellingsOf(number).some((each) => listed.has(each))));
}

/** Also takes back what its owner asked for in messages. Returns false if the number was not on the list. */
export async function deleteNumber(
  db: Db,
  { orgId, number }: { readonly orgId: string; readonly number: string },
  secrets: SecretBox,
): Promise<boolean> {
  if (!(await findBlocked(db, orgId, [number])).has(number)) return false;
  return db.transaction().execute(async (trx) => {
    await takeBackOptOut(trx, { orgId, phone: number }, secrets);
    const { numDeletedRows } = await trx
      .deleteFrom("do_not_call")
      .where("org_id", "=", orgId)
      .where("number", "in", spellingsOf(number))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  });
}

/** Deletes a number that its owner put on the list in one of these ways, no later than `until`. */
export async function deleteWished(
  db: Db,
  {
    orgId,
    number,
    sources,
    until,
  }: { orgId: string; number: string; sources: readonly DncSource[]; until?: Date },
): Promise<void> {
  let wished = db
    .deleteFrom("do_not_call")
    .where("org_id", "=", orgId)
    .where("number", "=", number)
    .where("source", "in", [...sources]);
  if (until !== undefined) wished = wished.where("created_at", "<=", until);
  await wished.execute();
}

/** Lists numbers, newest first. */
export async function listNumbers(
  db: Db,
  orgId: string,
  { search, before, limit }: DncQuery,
): Promise<{ numbers: DncNumber[]; total: number }> {
  let matching = db.selectFrom("do_not_call").where("org_id", "=", orgId);
  const digits = search?.replace(/\D/g, "") ?? "";
  if (digits !== "") matching = matching.where("number", "like", `%${digits}%`);
  const counted = await matching.select(db.fn.countAll<string>().as("total")).executeTakeFirstOrThrow();
  let page = matching.selectAll().orderBy("created_at", "desc").orderBy("number", "desc").limit(limit);
  if (before !== undefined)
    page = page.where(
      sql<boolean>`(created_at, number) < (select created_at, number from do_not_call where org_id = ${orgId} and number = ${before})`,
    );
  const rows = await page.execute();
  const numbers = rows.map(({ number, reason, source, session_id, created_at }) => ({
    number,
    reason,
    source,
    sessionId: session_id,
    createdAt: created_at.toISOString(),
  }));
  return { numbers, total: Number(counted.total) };
}
