import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Links of apps to one conversation: only the SHA-256 of a token is kept. */
const STATEMENTS = [
  sql`create table app_links (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    app_id text not null references apps (id) on delete cascade,
    token_hash text not null unique,
    action text not null,
    target_type text not null,
    target_id text not null,
    context jsonb not null,
    single_use boolean not null,
    code_hash text,
    created_by text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    revoked_at timestamptz
  )`,
  sql`create index app_links_app on app_links (org_id, app_id, id)`,
  sql`create index app_links_expires on app_links (expires_at)`,
];

export const links: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
