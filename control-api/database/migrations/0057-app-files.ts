import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Files of apps; what is hidden is being uploaded, or is being deleted. */
const STATEMENTS = [
  sql`create table app_files (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    app_id text not null,
    path text collate "C" not null,
    key text not null,
    size_bytes integer not null,
    updated_at timestamptz not null,
    hidden_at timestamptz
  )`,
  sql`create unique index app_files_path on app_files (org_id, app_id, path) where hidden_at is null`,
  sql`create index app_files_app on app_files (org_id, app_id)`,
  sql`create index app_files_hidden on app_files (hidden_at) where hidden_at is not null`,
];

export const appFiles: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
