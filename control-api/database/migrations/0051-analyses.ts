import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What calls were found to be about, once they were over. */
const STATEMENTS = [
  sql`create table call_analyses (
    session_id text primary key,
    org_id text not null,
    analysis jsonb,
    error text,
    analyzed_at timestamptz not null,
    check ((analysis is null) <> (error is null))
  )`,
];

export const analyses: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
