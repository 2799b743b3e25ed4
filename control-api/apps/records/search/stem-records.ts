import { sql } from "kysely";
import type { Database } from "../../../database/open.ts";
import { every, type JobHandler } from "../../../jobs/job-kind.ts";

const EVERY_MS = 10_000;
/** Records per statement, for which they are locked. */
const BATCH = 500;

/**
 * Gives stems to records that the version before wrote: all of them after an upgrade, and those that it still writes while
 * it runs beside this one. They are embedded anew, as that version does not say what it changed.
 */
export function stemsRecords(database: Database): JobHandler {
  return every(EVERY_MS, "stem_app_records", (signal) => stemRecords(database, signal));
}

export async function stemRecords({ db }: Pick<Database, "db">, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    // The condition is the one of its index (`app_records_unstemmed`).
    const { rows } = await sql`
      update app_records set embedded_in = null,
        words = jsonb_to_tsvector('english', data, '["string", "numeric"]') || ('''§' || store_id || ''' ''¶''')::tsvector
      where seq = any(array(
        select seq from app_records where words is not null and not (words @@ '''¶'''::tsquery)
        limit ${BATCH} for update skip locked))
      returning seq`.execute(db);
    if (rows.length < BATCH) return;
  }
}
