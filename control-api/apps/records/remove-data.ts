import { type Kysely, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

const AT_ONCE = 2_000;

/** Detaches an app's data; `deleteRemoved` deletes it in the background. */
export async function removeAppData(
  trx: Kysely<Tables>,
  orgId: string,
  appId: string,
  at: Date,
): Promise<void> {
  await trx
    .updateTable("app_stores")
    .set({ removed_at: at })
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .where("removed_at", "is", null)
    .execute();
}

/** Deletes records of uninstalled apps, in batches. */
export async function deleteRemoved({ db }: Database, signal: AbortSignal): Promise<void> {
  const stores = await db.selectFrom("app_stores").select("id").where("removed_at", "is not", null).execute();
  for (const { id } of stores) {
    let deleted = AT_ONCE;
    while (deleted === AT_ONCE) {
      if (signal.aborted) return;
      const { numAffectedRows } = await sql`
        delete from app_records where seq in (
          select seq from app_records where store_id = ${id} limit ${AT_ONCE})`.execute(db);
      deleted = Number(numAffectedRows ?? 0n);
    }
    await db.deleteFrom("app_stores").where("id", "=", id).execute();
  }
}
