import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { PgliteClient } from "@parley/control-api/database/pglite/client.ts";
import { inject } from "vitest";

interface Kept {
  readonly client: PgliteClient;
  /** Hash of the schema it was created with. */
  readonly fingerprint: string;
}

/** Idle databases of this process. Starting one costs a second of CPU, so returned ones are reused. */
const idle: Kept[] = [];

/** An embedded database with all tables, empty. Closing returns it to the pool. */
export function lentDatabase(): Promise<Databases> {
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

/** Covers only objects that are not Postgres's own, whose ids are lower. */
const FINGERPRINT = `
  select md5(string_agg(line, '|' order by line)) from (
    select format('%s %s', oid, relname) as line from pg_class where oid >= 16384
    union all select format('%s %s %s %s %s', attrelid, attname, atttypid, attnotnull, atthasdef)
      from pg_attribute where attrelid >= 16384
    union all select format('%s %s %s %s', oid, conname, conrelid, convalidated)
      from pg_constraint where oid >= 16384
    union all select format('%s %s %s', oid, tgname, tgrelid) from pg_trigger where oid >= 16384
    union all select format('%s %s', oid, proname) from pg_proc where oid >= 16384
    union all select name from kysely_migration
  ) lines`;

/** Truncating all tables, most of them empty, would take five times as long. */
const EMPTY = `
  do $$ declare name text; is_filled boolean; filled text[] := '{}'; begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
      execute format('select exists (select from %I)', name) into is_filled;
      if is_filled then filled := filled || quote_ident(name); end if;
    end loop;
    if filled <> '{}' then
      execute format('truncate %s restart identity cascade', array_to_string(filled, ', '));
    end if;
  end $$`;
