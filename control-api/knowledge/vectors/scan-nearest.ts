import { type Kysely, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

/**
 * Nearest entries that the index keeps while it looks further. Of the 30 that a search takes, its standard of 40 misses
 * a quarter, this an eighth for 2 ms of CPU more, and 200 hardly fewer (scripts/measure-search.ts).
 */
const LOOKED_AT = 100;

/** Lets the index go on until enough of what is searched is found: it holds the vectors of all organizations. */
export function scanNearest<T>({ db, kind }: Database, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  if (kind === "pglite") return work(db);
  return db.transaction().execute(async (trx) => {
    // In one statement, so that it is one round trip.
    await sql`select set_config('hnsw.iterative_scan', 'strict_order', true),
      set_config('hnsw.ef_search', ${String(LOOKED_AT)}, true)`.execute(trx);
    return work(trx);
  });
}

/** A vector and how it compares to a column, written as in the index's definition, so that the planner sees it fits. */
export function distanceTo(vector: readonly number[]) {
  const type = sql.raw(`vector(${vector.length})`);
  return sql<number>`(embedding::${type}) <=> ${`[${vector.join(",")}]`}::text::${type}`;
}

/** A vector as a column of numbers stores it. */
export function storedVector(vector: readonly number[]) {
  return sql<number[]>`${`{${vector.join(",")}}`}::text::real[]`;
}
