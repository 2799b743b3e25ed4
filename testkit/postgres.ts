import { randomBytes } from "node:crypto";
import { buildIndexes } from "@parley/control-api/database/build-indexes.ts";
import { migrateToLatest } from "@parley/control-api/database/migrate.ts";
import { openDatabase } from "@parley/control-api/database/open.ts";
import pg from "pg";
import { inject } from "vitest";
import { testPostgresUrl } from "./needs.ts";

/** A Postgres database for one test. */
export interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** A Postgres database with nothing in it; only after `needs("postgres")`. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return asAdmin((admin) => create(admin, ""));
}

/** A Postgres database with all tables, empty; only after `needs("postgres")`. */
export function createTestDatabase(): Promise<TestDatabase> {
  return asAdmin(async (admin) => create(admin, `template ${await template(admin)}`));
}

/** Drops what processes of this run have left that have ended: a file with a process of its own gives nothing back. */
export function dropLeftBehind(): Promise<void> {
  const prefix = inject("databasePrefix");
  return asAdmin(async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      "select datname as name from pg_database where starts_with(datname, $1)",
      [prefix],
    );
    for (const { name } of rows) {
      const pid = Number(name.slice(prefix.length).split("_")[0]);
      // Another process may drop it as well.
      if (pid > 0 && !isAlive(pid)) await admin.query(`drop database if exists ${name} with (force)`);
    }
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function create(admin: pg.Client, like: string): Promise<TestDatabase> {
  const name = `${inject("databasePrefix")}${process.pid}_${randomBytes(6).toString("hex")}`;
  await admin.query(`create database ${name} ${like}`);
  return {
    url: urlOf(name),
    drop: () => asAdmin(async (client) => void (await client.query(`drop database ${name} with (force)`))),
  };
}

/** Copying it takes a twentieth of what all migrations take. Made by the first who asks; others wait. */
async function template(admin: pg.Client): Promise<string> {
  const name = `${inject("databasePrefix")}template`;
  const exists = async (): Promise<boolean> =>
    (await admin.query("select from pg_database where datname = $1", [name])).rowCount === 1;
  if (await exists()) return name;
  // The lock ends with the connection.
  await admin.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
  if (await exists()) return name;
  const unfinished = `${name}_unfinished`;
  await admin.query(`drop database if exists ${unfinished}`);
  await admin.query(`create database ${unfinished}`);
  const database = await openDatabase({ databaseUrl: urlOf(unfinished) });
  try {
    await database.unbounded(({ db }) => migrateToLatest(db));
    await buildIndexes(database);
  } finally {
    await database.close();
  }
  await admin.query(`alter database ${unfinished} rename to ${name}`);
  return name;
}

function urlOf(name: string): string {
  const url = new URL(testPostgresUrl());
  url.pathname = `/${name}`;
  return url.href;
}

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: testPostgresUrl() });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
