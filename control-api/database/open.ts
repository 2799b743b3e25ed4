import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { type Budgets, type PoolBudget, STANDARD_BUDGETS, UNBOUNDED } from "@parley/shared/config/budgets.ts";
import { Kysely, PostgresDialect, sql } from "kysely";
import { createPgliteDialect, type EmbeddedConnection } from "./pglite/dialect.ts";
import { openPool, type PoolOptions } from "./postgres-pool.ts";
import type { Tables } from "./tables.ts";

/** The database, whichever it is, as one kind of work sees it. */
export interface Database {
  readonly db: Kysely<Tables>;
  readonly kind: "postgres" | "pglite";
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** What was begun is finished within a second, or given up. */
  close(): Promise<void>;
}

/** The database as what begins, answers and controls calls sees it, and as others do. The embedded one is the same for all. */
export interface Databases extends Database {
  /** For lists and searches. */
  readonly reads: Database;
  /** For what nobody waits for: the event projector, webhooks, sweepers. */
  readonly background: Database;
  /** Connections without a statement timeout, for as long as `work` takes. */
  unbounded<T>(work: (database: Database) => Promise<T>): Promise<T>;
}

export interface DatabaseOptions {
  /** Postgres; without it the embedded one. */
  readonly databaseUrl?: string | undefined;
  /** Where the embedded one keeps its files; without it they are gone with the process. */
  readonly dataDir?: string | undefined;
  /** Instead of a new embedded database: connects to one that is there. */
  readonly connect?: (() => Promise<EmbeddedConnection>) | undefined;
  /** Of Postgres; `STANDARD_BUDGETS` when absent. */
  readonly budgets?: Budgets | undefined;
  /** What tells how long a connection was silent; the machine's when absent. */
  readonly clock?: Clock | undefined;
  /** A pooled connection broke while nobody used it, or did not answer. */
  readonly onBroken?: (error: Error) => void;
}

/** Opens Postgres by URL, or the embedded one. Both give the same values for the same columns. */
export async function openDatabase(options: DatabaseOptions): Promise<Databases> {
  const { databaseUrl, connect, budgets = STANDARD_BUDGETS, clock = systemClock, onBroken } = options;
  if (databaseUrl === undefined) {
    const directory = await embeddedDirectory(options.dataDir);
    const db = new Kysely<Tables>({ dialect: createPgliteDialect({ directory, connect }) });
    const one: Database = { db, kind: "pglite", ping: () => ping(db), close: () => db.destroy() };
    return { ...one, reads: one, background: one, unbounded: (work) => work(one) };
  }
  const open = (budget: PoolBudget) => openPostgres({ databaseUrl, budget, clock, onBroken });
  const [calls, reads, background] = [open(budgets.calls), open(budgets.reads), open(budgets.background)];
  return {
    ...calls,
    reads,
    background,
    unbounded: async (work) => {
      const own = open(UNBOUNDED);
      return work(own).finally(() => own.close());
    },
    close: async () => {
      await Promise.all([calls.close(), reads.close(), background.close()]);
    },
  };
}

async function embeddedDirectory(dataDir: string | undefined): Promise<string | undefined> {
  if (dataDir === undefined) return undefined;
  await mkdir(dataDir, { recursive: true });
  return join(dataDir, "postgres");
}

function openPostgres(options: PoolOptions): Database {
  const { pool, close } = openPool(options);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    kind: "postgres",
    ping: () => ping(db),
    // Kysely's own `destroy` waits for connections that never come back.
    close: () => close(db.destroy()),
  };
}

async function ping(db: Kysely<Tables>): Promise<void> {
  await sql`select 1`.execute(db);
}
