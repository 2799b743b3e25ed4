import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What agents did in connected accounts lately, without what was said or found: a connection's page shows it. */
const STATEMENTS = [
  sql`create table connection_runs (
    id bigint generated always as identity primary key,
    org_id text not null references organizations (id) on delete cascade,
    connection_id text not null references integration_connections (id) on delete cascade,
    capability text not null,
    outcome text not null,
    took_ms integer not null,
    session_id text,
    at timestamptz not null
  )`,
  sql`create index connection_runs_latest on connection_runs (connection_id, id desc)`,
  sql`create index connection_runs_at on connection_runs (at)`,
  sql`create index connection_runs_session on connection_runs (session_id) where session_id is not null`,
];

export const connectionRuns: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
