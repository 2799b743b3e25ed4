import { sql } from "kysely";
import type { Database } from "../../database/open.ts";

export interface Window {
  readonly count: number;
  readonly resetsAt: Date;
}

/** Increments the counter of `key`, restarting an expired window; atomic across nodes. */
export async function countUp(
  { db }: Database,
  key: string,
  { at, resetsAt }: { at: Date; resetsAt: Date },
): Promise<Window> {
  return db
    .insertInto("rate_limits")
    .values({ key, count: 1, resets_at: resetsAt })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        count: sql<number>`case when rate_limits.resets_at <= ${at} then 1 else rate_limits.count + 1 end`,
        resets_at: sql<Date>`case when rate_limits.resets_at <= ${at} then excluded.resets_at else rate_limits.resets_at end`,
      }),
    )
    .returning(["count", "resets_at as resetsAt"])
    .executeTakeFirstOrThrow();
}

/** A window ending now. */
export interface SlidingWindow {
  readonly at: Date;
  readonly since: Date;
  readonly max: number;
  /** When one taken now stops counting. */
  readonly resetsAt: Date;
}

/**
 * Takes one if fewer than `max` were taken since `since`. Locks the row meanwhile, so it is atomic across nodes.
 * Refused attempts do not count. Returns when to retry, or undefined if one was taken.
 */
export async function takeSliding(
  { db }: Database,
  key: string,
  { at, since, max, resetsAt }: SlidingWindow,
): Promise<{ readonly oldest: Date } | undefined> {
  const recent = sql`select t from unnest(rate_limits.taken_at) t where t > ${since}`;
  const taken = await db
    .insertInto("rate_limits")
    .values({ key, count: 1, resets_at: resetsAt, taken_at: sql`array[${at}::timestamptz]` })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({
          taken_at: sql`array(${recent}) || ${at}::timestamptz`,
          // Counts like the previous version, which may run beside this one, so as not to be more generous.
          count: sql<number>`(select count(*) + 1 from (${recent}) counted)`,
          resets_at: resetsAt,
        })
        .where(sql<boolean>`(select count(*) from (${recent}) counted) < ${max}`),
    )
    .returning("key")
    .executeTakeFirst();
  if (taken) return undefined;
  const window = await db
    .selectFrom("rate_limits")
    .select(sql<Date | null>`(select min(t) from (${recent}) counted)`.as("oldest"))
    .where("key", "=", key)
    .executeTakeFirst();
  // Nothing counts any more, or the row was just cleared: retry at once.
  return { oldest: window?.oldest ?? since };
}

/** Decrements the counter. */
export async function countDown({ db }: Database, key: string): Promise<void> {
  await db
    .updateTable("rate_limits")
    .set({ count: sql<number>`greatest(count - 1, 0)` })
    .where("key", "=", key)
    .execute();
}

export async function clearCount({ db }: Database, key: string): Promise<void> {
  await db.deleteFrom("rate_limits").where("key", "=", key).execute();
}

export async function deleteOldCounts({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("rate_limits").where("resets_at", "<", before).execute();
}
