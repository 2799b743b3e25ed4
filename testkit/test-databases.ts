import { randomBytes } from "node:crypto";
import pg from "pg";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** What the names of this run's databases begin with. */
    databasePrefix: string;
  }
}

/** What the names of all runs' databases begin with. */
const OF_TESTS = "parley_run_";

/**
 * Drops the databases of this run when it ends, and those of earlier runs that were killed. A run is alive as long as a
 * connection has its name.
 */
export default async function keepDatabasesTidy(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  if (!project.isRootProject()) return undefined;
  const prefix = `${OF_TESTS}${randomBytes(5).toString("hex")}_`;
  project.provide("databasePrefix", prefix);
  const connectionString = process.env.PARLEY_TEST_POSTGRES_URL;
  if (connectionString === undefined) return undefined;
  const client = new pg.Client({ connectionString, application_name: prefix });
  await client.connect();
  await drop(client, await namesOfDeadRuns(client));
  return async () => {
    await drop(client, await namesLike(client, prefix));
    await client.end();
  };
}

async function namesOfDeadRuns(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ prefix: string }>(
    "select application_name as prefix from pg_stat_activity where starts_with(application_name, $1)",
    [OF_TESTS],
  );
  const names = await namesLike(client, OF_TESTS);
  return names.filter((name) => !rows.some(({ prefix }) => name.startsWith(prefix)));
}

async function namesLike(client: pg.Client, prefix: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select datname as name from pg_database where starts_with(datname, $1)",
    [prefix],
  );
  return rows.map(({ name }) => name);
}

async function drop(client: pg.Client, names: readonly string[]): Promise<void> {
  // Another run may drop them as well.
  for (const name of names) await client.query(`drop database if exists ${name} with (force)`);
}
