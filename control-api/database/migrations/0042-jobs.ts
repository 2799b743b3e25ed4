import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const ACTIVE = sql.raw("where state in ('waiting', 'running')");

const STATEMENTS = [
  sql`create table jobs (
    id text primary key,
    kind text not null,
    owner text not null,
    key text,
    payload jsonb not null,
    state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'dead')),
    due_at timestamptz not null,
    attempts integer not null default 0,
    lease_epoch integer not null default 0,
    progress jsonb,
    error text,
    created_at timestamptz not null,
    finished_at timestamptz
  )`,
  sql`create index jobs_due on jobs (kind, due_at) ${ACTIVE}`,
  sql`create index jobs_owner_due on jobs (kind, owner, due_at) ${ACTIVE}`,
  sql`create unique index jobs_one_at_a_time on jobs (kind, owner, key) where state = 'running' and key is not null`,
  sql`create index jobs_finished on jobs (state, finished_at) where finished_at is not null`,
];

/** Work that is done beside requests. */
export const jobs: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
