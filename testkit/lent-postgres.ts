import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { openPool, type PoolOptions } from "@parley/control-api/database/postgres-pool.ts";
import { type Budgets, STANDARD_BUDGETS, UNBOUNDED } from "@parley/shared/config/budgets.ts";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import { EMPTY, FINGERPRINT } from "./database-state.ts";
import { createTestDatabase, dropLeftBehind } from "./postgres.ts";

/** Nothing waits for a busy machine any shorter than the test does: tests of limits have databases of their own. */
const UNHURRIED = { waitMs: 120_000, statementTimeoutMs: 120_000 };

/** Fewer connections than in production: each is a process, and several files run side by side. */
const BUDGETS: Budgets = {
  calls: { ...STANDARD_BUDGETS.calls, ...UNHURRIED, connections: 5 },
  reads: { ...STANDARD_BUDGETS.reads, ...UNHURRIED, connections: 3 },
  background: { ...STANDARD_BUDGETS.background, ...UNHURRIED, connections: 4 },
};

interface Kept {
  readonly url: string;
  /** Looks at the database and empties it, between loans. */
  readonly keeper: pg.Client;
  /** By budget. They stay open: a new connection reads the whole catalog. */
  readonly pools: Map<object, PostgresPool>;
  /** Hash of the schema it was created with. */
  readonly fingerprint: string;
  readonly drop: () => Promise<void>;
}

/** Idle databases of this process. */
const idle: Kept[] = [];

/** A Postgres database with all tables, empty. Closing returns it to the pool. */
export async function lentPostgres(): Promise<Databases> {
  const kept = idle.pop() ?? (await make());
  const loan = new Loan();
  const databases = await openDatabase({
    databaseUrl: kept.url,
    budgets: BUDGETS,
    openPool: (options) => ({ pool: loan.poolOf(keptPool(kept, options)), close: (ended) => ended }),
  });
  return {
    ...databases,
    close: async () => {
      if (loan.isBack) return;
      loan.end();
      await databases.close();
      await takeBack(kept);
    },
  };
}

async function make(): Promise<Kept> {
  await dropLeftBehind();
  const { url, drop } = await createTestDatabase();
  const keeper = new pg.Client({ connectionString: url });
  await keeper.connect();
  return { url, keeper, pools: new Map(), fingerprint: await fingerprintOf(keeper), drop };
}

function keptPool({ pools }: Kept, options: PoolOptions): PostgresPool {
  const budget = options.budget === UNBOUNDED ? BUDGETS.calls : options.budget;
  const pool = pools.get(budget) ?? openPool({ ...options, budget }).pool;
  pools.set(budget, pool);
  return pool;
}

/** Empties a database and pools it, unless its schema has changed. */
async function takeBack(kept: Kept): Promise<void> {
  const { keeper, fingerprint } = kept;
  await keeper.query(END_OTHERS);
  if ((await fingerprintOf(keeper)) !== fingerprint) return remove(kept);
  await keeper.query(EMPTY);
  idle.push(kept);
}

async function remove({ pools, keeper, drop }: Kept): Promise<void> {
  await Promise.all([...pools.values()].map((pool) => pool.end()));
  await keeper.end();
  await drop();
}

async function fingerprintOf(keeper: pg.Client): Promise<string> {
  const { rows } = await keeper.query(FINGERPRINT);
  return JSON.stringify(rows);
}

/** A transaction open at the end of a loan can no longer be ended by its owner. */
const END_OTHERS = `
  select pg_terminate_backend(pid, 5000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;

/** Connections as one borrower sees them: of no use once the loan has ended. */
class Loan {
  isBack = false;
  readonly #held = new Set<PostgresPoolClient>();

  poolOf(pool: PostgresPool): PostgresPool {
    return { options: pool.options, connect: () => this.#connect(pool), end: () => Promise.resolve() };
  }

  /** Cuts whatever is still under way. */
  end(): void {
    this.isBack = true;
    for (const client of this.#held) client.release(true);
    this.#held.clear();
  }

  async #connect(pool: PostgresPool): Promise<PostgresPoolClient> {
    this.#refuse();
    const client = await pool.connect();
    if (this.isBack) client.release();
    this.#refuse();
    this.#held.add(client);
    return {
      query: (...asked: [string, readonly unknown[]]) => {
        this.#refuse();
        return client.query(...asked);
      },
      release: (...how) => {
        if (this.#held.delete(client)) client.release(...how);
      },
    } as PostgresPoolClient;
  }

  #refuse(): void {
    if (this.isBack) throw new Error("the database was given back");
  }
}
