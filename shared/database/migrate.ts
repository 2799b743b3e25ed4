import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { MIGRATIONS } from "./migrations/index.ts";
import type { Tables } from "./tables.ts";

/**
 * Brings the schema up to date. Safe when several processes start together: kysely's Migrator holds a
 * lock. Throws the error of the migration that failed; those before it stay applied.
 */
export async function migrateToLatest(db: Kysely<Tables>): Promise<readonly string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? []).map((result) => result.migrationName);
}
