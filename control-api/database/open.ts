import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, systemClock } from "@parley/shared/clock.ts";
import {
  type Budgets,
  type PoolBudget,
  SESSIONS,
  STANDARD_BUDGETS,
  UNBOUNDED,
} from "@parley/shared/config/budgets.ts";
import { Kysely, PostgresDialect, sql } from "kysely";
import { createPgliteDialect, type EmbeddedConnection } from "./pglite/dialect.ts";
import { openPool, type PoolOptions } from "./postgres-pool.ts";
import type { Tables } from "./tables.ts";

/** The database, of either kind, with one budget of connections. */
export interface Database {
  readonly db: Kysely<Tables>;
  readonly kind: "postgres" | "pglite";
  /** Connections that stay the same beyond a transaction; `db` has such unless a pooler is in between. */
  readonly sessions?: Kysely<Tables> | undefined;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Finishes or abandons pending work within a second. */
  close(): Promise<void>;
}

/** One connection budget for call control and others for the rest. The embedded database is the same for all. */
export interface Databases extends Database {
  /** For lists and searches. */
  readonly reads: Database;
  /** For work nobody waits for: the event projector, webhooks, sweepers. */
  readonly background: Database;
  /** A standby for what `ReadReplica` lets go there; with as many connections as `reads`. */
  readonly replica?: Database | undefined;
  /** Provides connections without a statement timeout while `work` runs. */
  unbounded<T>(work: (database: Database) => Promise<T>): Promise<T>;
}

export interface DatabaseOptions {
  /** Postgres; if absent, the embedded database is used. */
  readonly databaseUrl?: string | undefined;
  /** The same Postgres, if `databaseUrl` is a pooler that lends its connections for one transaction at a time. */
  readonly directUrl?: string | undefined;
  /** A standby of that Postgres. */
  readonly replicaUrl?: string | undefined;
  /** Directory of the embedded database's files; if absent, they vanish with the process. */
  readonly dataDir?: string | undefined;
  /** Connects to an existing embedded database instead of a new one. */
  readonly connect?: (() => Promise<EmbeddedConnection>) | undefined;
  /** Opens the connections of a budget to Postgres; defaults to new ones. */
  readonly openPool?: typeof openPool | undefined;
  /** Postgres only; defaults to `STANDARD_BUDGETS`. */
  readonly budgets?: Budgets | undefined;
  /** Measures how long a connection was silent; defaults to the machine's clock. */
  readonly clock?: Clock | undefined;
  /** Called when an idle pooled connection broke or one did not answer. */
  readonly onBroken?: (error: Error) => void;
}

/** Opens Postgres by URL, or the embedded database. Both return the same values for the same columns. */
export async function openDatabase(options: DatabaseOptions): Promise<Databases> {
  const { databaseUrl, directUrl, replicaUrl, connect, onBroken } = options;
  const { budgets = STANDARD_BUDGETS, clock = systemClock } = options;
  const openPostgres = postgresBy(options.openPool ?? openPool);
  if (databaseUrl === undefined) {
    const directory = await embeddedDirectory(options.dataDir);
    const db = new Kysely<Tables>({ dialect: createPgliteDialect({ directory, connect }) });
    const one: Database = { db, kind: "pglite", ping: () => ping(db), close: () => db.destroy() };
    return { ...one, reads: one, background: one, unbounded: (work) => work(one) };
  }
  const isPooled = directUrl !== undefined;
  const direct = (budget: PoolBudget) =>
    openPostgres({ databaseUrl: directUrl ?? databaseUrl, isPooled: false, budget, clock, onBroken });
  const lasting = isPooled ? direct(SESSIONS) : undefined;
  const open = (budget: PoolBudget, url = databaseUrl): Database => {
    const opened = openPostgres({ databaseUrl: url, isPooled, budget, clock, onBroken });
    return { ...opened, sessions: lasting?.db };
  };
  const [calls, reads, background] = [open(budgets.calls), open(budgets.reads), open(budgets.background)];
  const replica = replicaUrl === undefined ? undefined : open(budgets.reads, replicaUrl);
  return {
    ...calls,
    reads,
    background,
    replica,
    unbounded: async (work) => {
      const own = direct(UNBOUNDED);
      return work(own).finally(() => own.close());
    },
    close: async () => {
      await Promise.all([calls, reads, background, replica, lasting].map((one) => one?.close()));
    },
  };
}

async function embeddedDirectory(dataDir: string | undefined): Promise<string | undefined> {
  if (dataDir === undefined) return undefined;
  await mkdir(dataDir, { recursive: true });
  return join(dataDir, "postgres");
}

function postgresBy(open: typeof openPool): (options: PoolOptions) => Database {
  return (options) => {
    const { pool, close } = open(options);
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    return {
      db,
      kind: "postgres",
      ping: () => ping(db),
      // Kysely's own `destroy` waits for connections that never return.
      close: () => close(db.destroy()),
    };
  };
}

async function ping(db: Kysely<Tables>): Promise<void> {
  await sql`select 1`.execute(db);
}
