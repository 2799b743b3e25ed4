import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { PgliteClient } from "@parley/control-api/database/pglite/client.ts";
import { inject } from "vitest";
import { EMPTY, FINGERPRINT } from "./database-state.ts";
import { lentPostgres } from "./lent-postgres.ts";
import { needs } from "./needs.ts";

interface Kept {
  readonly client: PgliteClient;
  /** Hash of the schema it was created with. */
  readonly fingerprint: string;
}

/** Idle databases of this process. Starting one costs a second of CPU, so returned ones are reused. */
const idle: Kept[] = [];

/**
 * A database with all tables, empty. Closing returns it to the pool. It is one of the run's Postgres where there is one,
 * and embedded elsewhere, or where `asked` is `embedded` (docs/testing.md#a-tests-database).
 */
export function lentDatabase(asked = process.env.PARLEY_TEST_LENDS): Promise<Databases> {
  return asked !== "embedded" && needs("postgres") ? lentPostgres() : lentEmbedded();
}

/** An embedded database with all tables, empty. Closing returns it to the pool. */
export function lentEmbedded(): Promise<Databases> {
  return openDatabase({ connect: async () => lend(idle.pop() ?? (await make())) });
}

async function make(): Promise<Kept> {
  const client = await PgliteClient.open({ directory: undefined, snapshot: inject("databaseSnapshot") });
  return { client, fingerprint: await fingerprintOf(client) };
}

function lend(kept: Kept): Pick<PgliteClient, "query" | "close"> {
  let isBack = false;
  return {
    query: (sql, parameters) =>
      isBack ? Promise.reject(new Error("the database was given back")) : kept.client.query(sql, parameters),
    close: async () => {
      isBack = true;
      await takeBack(kept);
    },
  };
}

/** Empties a database and pools it, unless its schema has changed. */
async function takeBack(kept: Kept): Promise<void> {
  const { client, fingerprint } = kept;
  // A transaction open at close can no longer be ended by its owner.
  await client.query("rollback", []);
  if ((await fingerprintOf(client)) !== fingerprint) return client.close();
  await client.query(EMPTY, []);
  idle.push(kept);
}

async function fingerprintOf(client: PgliteClient): Promise<string> {
  const { rows } = await client.query(FINGERPRINT, []);
  return JSON.stringify(rows);
}
