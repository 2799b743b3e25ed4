import type { Clock } from "@parley/shared/clock.ts";
import type { PoolBudget } from "@parley/shared/config/budgets.ts";
import type { PostgresPool } from "kysely";
import pg from "pg";
import { createCheckedPool } from "./checked-pool.ts";
import { setupOf } from "./pooled-client.ts";

/** The server cancels a statement first; beyond this the server is gone. */
const BEHIND_STATEMENT_MS = 2_000;
/** Spreads connections over the servers behind an address, and frees memory that backends retain. */
const MAX_LIFETIME_SECS = 1_800;
/** Firewalls drop idle connections. */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** How long pending work may run when the pool closes. */
const CLOSE_MS = 1_000;

export interface PoolOptions {
  readonly databaseUrl: string;
  /** A pooler in between lends a connection to Postgres for one transaction at a time. */
  readonly isPooled: boolean;
  readonly budget: PoolBudget;
  readonly clock: Clock;
  readonly onBroken: ((error: Error) => void) | undefined;
}

/** Opens a pool of connections to Postgres within a budget. */
export function openPool(options: PoolOptions): {
  pool: PostgresPool;
  /** Resolves when `ended` does; cuts connections still in use a second later. */
  close: (ended: Promise<void>) => Promise<void>;
} {
  const { databaseUrl, isPooled, budget, clock, onBroken } = options;
  const { connections, waitMs, statementTimeoutMs, settings } = budget;
  const isBounded = statementTimeoutMs > 0;
  const sockets = new Set<pg.PoolClient>();
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    types: createTypes(),
    max: connections,
    connectionTimeoutMillis: waitMs,
    maxLifetimeSeconds: MAX_LIFETIME_SECS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    ...(isBounded ? { query_timeout: statementTimeoutMs + BEHIND_STATEMENT_MS } : {}),
    // A pooler refuses what is set at the start of a connection.
    ...(isPooled ? {} : { options: optionsOf(settings), statement_timeout: statementTimeoutMs }),
  });
  pool.on("error", (error) => onBroken?.(error));
  pool.on("connect", (client) => {
    sockets.add(client);
    client.on("end", () => sockets.delete(client));
    // A connection that breaks in use fails its query; without a listener it would also end the process.
    client.on("error", () => undefined);
  });
  return {
    pool: createCheckedPool(pool, {
      clock,
      onSilence: onBroken,
      setup: isPooled ? setupOf(settings, statementTimeoutMs) : undefined,
    }),
    close: async (ended) => {
      const cancel = clock.after(CLOSE_MS, () => {
        for (const client of sockets) cut(client);
      });
      await ended.finally(cancel);
    },
  };
}

/** In the form of `PGOPTIONS`. */
function optionsOf(settings: PoolBudget["settings"]): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

/** Ends a connection without its peer's cooperation. */
function cut(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: pg.Connection };
  connection.stream.destroy();
}

const OF_ARRAYS: Readonly<Record<"text" | "date" | "numeric", number>> = {
  text: 1009,
  date: 1182,
  numeric: 1231,
};

/** Parses columns where node-postgres' default differs from the embedded database. */
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
