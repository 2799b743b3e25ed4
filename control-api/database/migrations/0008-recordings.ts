import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What is kept of calls, for how long, and what of it is masked before it is kept. */
const STATEMENTS = [
  sql`alter table organizations add column pii_policy jsonb`,
  sql`alter table organizations add column recording_retention_days integer check (recording_retention_days >= 0)`,
  // Rows whose file is being deleted: nobody is shown them any more.
  sql`alter table recordings add column deleted_at timestamptz`,
  sql`create index recordings_org on recordings (org_id, created_at desc)`,
  sql`create index recordings_deleted on recordings (deleted_at) where deleted_at is not null`,
  // What was said in the call was deleted; what comes of it later is not written down.
  sql`alter table calls add column content_deleted_at timestamptz`,
  sql`create index calls_kept on calls (created_at) where content_deleted_at is null and ended_at is not null`,
  sql`alter table webhook_deliveries add column session_id text`,
  sql`update webhook_deliveries set session_id = body::jsonb->>'sessionId'`,
  sql`create index webhook_deliveries_session on webhook_deliveries (session_id) where session_id is not null`,
  sql`create table waveforms (
    recording_id text primary key references recordings (id) on delete cascade,
    peaks bytea not null,
    created_at timestamptz not null
  )`,
];

export const recordings: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
