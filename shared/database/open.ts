import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { createPgliteDialect } from "./pglite/dialect.ts";
import { createPreparingPool } from "./preparing-pool.ts";
import type { Tables } from "./tables.ts";

const POOL_MAX = 20;
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;

/** The database, whichever it is. */
export interface Database {
  readonly db: Kysely<Tables>;
  readonly kind: "postgres" | "pglite";
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Postgres; without it the embedded one. */
  readonly databaseUrl?: string | undefined;
  /** Where the embedded one keeps its files; without it they are gone with the process. */
  readonly dataDir?: string | undefined;
  /** File of a dumped embedded database that one without `dataDir` begins with; empty when absent. */
  readonly snapshot?: string | undefined;
  /** A pooled connection broke while nobody used it. */
  readonly onIdleError?: (error: Error) => void;
}

/** Opens Postgres by URL, or the embedded one. Both give the same values for the same columns. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, onIdleError } = options;
  const dialect =
    databaseUrl === undefined
      ? createPgliteDialect({
          directory: await embeddedDirectory(options.dataDir),
          snapshot: options.snapshot,
        })
      : new PostgresDialect({ pool: createPreparingPool(createPool(databaseUrl, onIdleError)) });
  const db = new Kysely<Tables>({ dialect });
  return {
    db,
    kind: databaseUrl === undefined ? "pglite" : "postgres",
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: () => db.destroy(),
  };
}

async function embeddedDirectory(dataDir: string | undefined): Promise<string | undefined> {
  if (dataDir === undefined) return undefined;
  await mkdir(dataDir, { recursive: true });
  return join(dataDir, "postgres");
}

function createPool(connectionString: string, onIdleError: ((error: Error) => void) | undefined): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    types: createTypes(),
    max: POOL_MAX,
    // A peer that went without a word is noticed by the probes of TCP.
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  });
  pool.on("error", (error) => onIdleError?.(error));
  // A connection that breaks under its user fails the query; without a listener it would end the process too.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

const OF_ARRAYS: Readonly<Record<"text" | "date" | "numeric", number>> = {
  text: 1009,
  date: 1182,
  numeric: 1231,
};

/** What node-postgres makes of a column, where that is not what the embedded database gives. */
function createTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  const asText = (text: string): string => text;
  // A date is a calendar day: as a Date it would shift with the process's time zone.
  types.setTypeParser(pg.types.builtins.DATE, asText);
  types.setTypeParser(pg.types.builtins.INTERVAL, asText);
  const texts = pg.types.getTypeParser(OF_ARRAYS.text);
  types.setTypeParser(OF_ARRAYS.date, texts);
  types.setTypeParser(OF_ARRAYS.numeric, texts);
  return types;
}
