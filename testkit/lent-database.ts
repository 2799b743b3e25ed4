import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { PgliteClient } from "@parley/control-api/database/pglite/client.ts";
import { inject } from "vitest";

interface Kept {
  readonly client: PgliteClient;
  /** Of the schema that it was made with. */
  readonly fingerprint: string;
}

/** Of this process. To start one costs a second of CPU: whoever comes next gets what another has given back. */
const idle: Kept[] = [];

/** An embedded database with all tables and nothing in them. To close it gives it back. */
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

/** Keeps it for the next, emptied, unless its schema is another one now. */
async function takeBack(kept: Kept): Promise<void> {
  const { client, fingerprint } = kept;
  // Whoever was in a transaction when it was closed cannot end it any more.
  await client.query("rollback", []);
  if ((await fingerprintOf(client)) !== fingerprint) return client.close();
  await client.query(EMPTY, []);
  idle.push(kept);
}

async function fingerprintOf(client: PgliteClient): Promise<string> {
  const { rows } = await client.query(FINGERPRINT, []);
  return JSON.stringify(rows);
}

/** Only of what is not Postgres's own, whose numbers are lower. */
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

/** To truncate all of them, most of which are empty, takes five times as long. */
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
