import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Calls of apps that were answered and are not usage yet. */
const STATEMENTS = [
  sql`create table counted_app_calls (
    id text primary key,
    org_id text not null,
    app_id text not null,
    calls bigint not null check (calls > 0),
    at timestamptz not null
  )`,
  sql`create index counted_app_calls_org on counted_app_calls (org_id, id)`,
];

export const countedAppCalls: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
