import type { Database } from "@parley/shared/database/open.ts";
import { sql } from "kysely";

export interface Window {
  readonly count: number;
  readonly resetsAt: Date;
}

/** Counts one more in the window of `key`, which begins anew when it was over; atomic on any number of nodes. */
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

/** Takes one back. */
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
