import type { Database } from "@parley/control-api/database/open.ts";
import type { Tables } from "@parley/control-api/database/tables.ts";
import { type Kysely, sql } from "kysely";
import { expect } from "vitest";

type Work = () => Promise<unknown>;

/**
 * Starts each of `works` while `lock` holds what they need, in this order and each once the one before waits; then lets
 * go. Two that lock in different orders wait for each other then, for certain. Needs Postgres. Resolves to the reasons of
 * those that failed.
 */
export async function raceBehind(
  { db }: Database,
  lock: (trx: Kysely<Tables>) => Promise<unknown>,
  works: readonly Work[],
): Promise<unknown[]> {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const holding = db.transaction().execute(async (trx) => {
    await lock(trx);
    locked();
    await mayEnd;
  });
  await isLocked;
  const waiting = async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    );
    return rows.length;
  };
  const started: Promise<unknown>[] = [];
  try {
    for (const [before, work] of works.entries()) {
      const running = work();
      running.catch(() => undefined);
      started.push(running);
      await expect.poll(waiting, { timeout: 90_000 }).toBe(before + 1);
    }
  } finally {
    end();
    await holding;
  }
  const settled = await Promise.allSettled(started);
  return settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
}
