import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { sql } from "kysely";
import { tryExclusively } from "./exclusively.ts";
import { LONG_INDEXES, type LongIndex } from "./long-indexes.ts";
import type { Database, Databases } from "./open.ts";

/** Wait before checking again whether another process finished the build. */
const AGAIN_MS = 60_000;

/**
 * Builds the missing `LONG_INDEXES` one after the other. Returns the names of those built, or undefined if another
 * process is building. On Postgres, builds outside a transaction, concurrently with reads and writes; drops and
 * restarts what a killed build left behind.
 */
export async function buildIndexes(
  databases: Pick<Databases, "unbounded">,
  goesOn: () => boolean = () => true,
): Promise<readonly string[] | undefined> {
  const built: string[] = [];
  const isOurs = await databases.unbounded((database) =>
    tryExclusively(database, "build-indexes", async () => {
      for (const index of LONG_INDEXES) {
        if (!goesOn()) return;
        if (await buildIndex(database, index)) built.push(index.name);
      }
    }),
  );
  return isOurs ? built : undefined;
}

/** Runs `buildIndexes` beside the API until every index exists. Returns a function that stops it. */
export function keepIndexesBuilt({
  database,
  clock,
  log,
}: {
  readonly database: Databases;
  readonly clock: Clock;
  readonly log: Logger;
}): () => Promise<void> {
  let isStopped = false;
  let cancel: () => void = () => undefined;
  const look = async (): Promise<void> => {
    const built = await buildIndexes(database, () => !isStopped).catch((error: unknown) => {
      if (!isStopped)
        log.warn({ event: "indexes_failed", err: messageOf(error) }, "failed to build indexes, trying again");
      return undefined;
    });
    if (built && built.length > 0) log.info({ event: "indexes_built", built }, "indexes were built");
    if (!built && !isStopped) {
      cancel = clock.after(AGAIN_MS, () => {
        looking = look();
      });
    }
  };
  let looking = look();
  return async () => {
    isStopped = true;
    cancel();
    await looking;
  };
}

/** Builds one index; false if it exists. On Postgres only outside of a transaction. */
export async function buildIndex(
  { db, kind }: Database,
  { name, table, definition }: LongIndex,
): Promise<boolean> {
  const { rows } = await sql<{ isValid: boolean }>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${name})`.execute(db);
  if (rows[0]?.isValid === true) return false;
  const beside = sql.raw(kind === "postgres" ? "concurrently" : "");
  if (rows.length > 0) await sql`drop index ${beside} if exists ${sql.id(name)}`.execute(db);
  const on = sql`${sql.id(table)} ${sql.raw(definition)}`;
  await sql`create index ${beside} ${sql.id(name)} on ${on}`.execute(db);
  // Statistics of an expression index are guesses until `analyze` runs.
  await sql`analyze ${sql.id(table)}`.execute(db);
  return true;
}
