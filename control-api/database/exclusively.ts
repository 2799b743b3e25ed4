import { type Kysely, sql } from "kysely";
import type { Database } from "./open.ts";
import type { Tables } from "./tables.ts";

/** Work that only one process does at a time. */
export type Exclusive = "build-indexes" | "delete-overdue" | "forget-events" | "seed-demo";

/** Waits until no other process holds this name. The embedded database has only one process, which never waits. */
export async function exclusively<T>(
  database: Database,
  name: Exclusive,
  work: () => Promise<T>,
): Promise<T> {
  if (database.kind === "pglite") return work();
  return (database.sessions ?? database.db).connection().execute(async (held) => {
    await sql`select pg_advisory_lock(hashtextextended(${key(name)}, 0))`.execute(held);
    try {
      return await work();
    } finally {
      await unlock(held, name);
    }
  });
}

/** Like `exclusively`, but returns false at once if another process holds the name. Occupies a connection meanwhile. */
export async function tryExclusively(
  database: Database,
  name: Exclusive,
  work: () => Promise<void>,
): Promise<boolean> {
  if (database.kind === "pglite") {
    await work();
    return true;
  }
  return (database.sessions ?? database.db).connection().execute(async (held) => {
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_lock(hashtextextended(${key(name)}, 0)) as "isOurs"`.execute(held);
    if (rows[0]?.isOurs !== true) return false;
    try {
      await work();
    } finally {
      await unlock(held, name);
    }
    return true;
  });
}

function key(name: Exclusive): string {
  return `parley-${name}`;
}

async function unlock(held: Kysely<Tables>, name: Exclusive): Promise<void> {
  // The lock ends with the connection anyway.
  await sql`select pg_advisory_unlock(hashtextextended(${key(name)}, 0))`
    .execute(held)
    .catch(() => undefined);
}
