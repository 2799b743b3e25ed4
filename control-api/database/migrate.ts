import { AppError } from "@parley/shared/errors.ts";
import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { MIGRATIONS } from "./migrations/index.ts";
import type { Tables } from "./tables.ts";

/**
 * How long a migration waits for a table lock before it yields and retries: while it waits, everybody behind it waits
 * too.
 */
const LOCK_TIMEOUT = "3s";
const LOCK_TRIES = 40;
/** SQLSTATE lock_not_available. */
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Brings the schema up to date. Safe when several processes start together, since Kysely's Migrator holds a lock.
 * Already executed migrations of a later version are left alone: a version may start beside the next one, and after it
 * (`docs/operations.md#rolling-back`). Returns the names of those executed. Throws the error of a failed migration,
 * keeping the ones before it; throws `AppError` conflict if the history is not this product's.
 */
export async function migrateToLatest(db: Kysely<Tables>): Promise<readonly string[]> {
  for (let tries = 1; ; tries++) {
    const executed = await findExecuted(db);
    const later = laterThanKnown(executed);
    // The common case: skips Kysely, which would read the whole schema and lock.
    if (Object.keys(MIGRATIONS).every((name) => executed.includes(name))) return [];
    const { error, results } = await migrate(db, later);
    if (error === undefined) return (results ?? []).map((result) => result.migrationName);
    const isLocked = Reflect.get(Object(error), "code") === LOCK_NOT_AVAILABLE;
    // The next version may have migrated while this one waited.
    const isOvertaken = (await findLaterMigrations(db)).length > later.length;
    if (!(isLocked || isOvertaken) || tries >= LOCK_TRIES) throw error;
  }
}

/** Executed migrations of a later version, unknown to this one. */
export async function findLaterMigrations(db: Kysely<Tables>): Promise<readonly string[]> {
  return laterThanKnown(await findExecuted(db));
}

function laterThanKnown(executed: readonly string[]): readonly string[] {
  const known = Object.keys(MIGRATIONS);
  const last = known.toSorted().at(-1) ?? "";
  const unknown = executed.filter((name) => !known.includes(name));
  const foreign = unknown.filter((name) => name < last);
  if (foreign.length > 0) {
    throw new AppError(
      "conflict",
      `The database has executed migrations that no version of Parley has before ${last}: ${foreign.join(", ")}. ` +
        "It belongs to something else, or to a build that was never released.",
    );
  }
  return unknown;
}

async function findExecuted(db: Kysely<Tables>): Promise<readonly string[]> {
  const table = await sql<{ isThere: boolean }>`
    select to_regclass('kysely_migration') is not null as "isThere"`.execute(db);
  if (table.rows[0]?.isThere !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

function migrate(db: Kysely<Tables>, later: readonly string[]) {
  const executed = Object.fromEntries(later.map((name): [string, Migration] => [name, ALREADY_EXECUTED]));
  const provider = { getMigrations: async () => ({ ...withLockTimeout(MIGRATIONS), ...executed }) };
  // Builds from before a release may have executed its migrations in any order.
  return new Migrator({ db, provider, allowUnorderedMigrations: true }).migrateToLatest();
}

/** A run is one transaction. Kysely's own lock, held during another process's whole run, has no timeout. */
function withLockTimeout(migrations: Readonly<Record<string, Migration>>): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]): [string, Migration] => [
      name,
      {
        up: async (trx) => {
          await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(trx);
          await up(trx);
        },
      },
    ]),
  );
}

const ALREADY_EXECUTED: Migration = {
  up: async () => {
    throw new Error("a migration of a later version is never executed by an earlier one");
  },
};
