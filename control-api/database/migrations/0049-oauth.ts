import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Access that people gave at vendors and tool servers, and the tool servers they signed in to. */
const STATEMENTS = [
  sql`create table oauth_grants (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    status text not null check (status in ('active', 'error')),
    last_error text,
    sealed text not null,
    expires_at timestamptz,
    refresh_at timestamptz,
    version integer not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  sql`create index oauth_grants_org on oauth_grants (org_id)`,
  sql`create table oauth_flows (
    state_hash text primary key,
    org_id text not null references organizations (id) on delete cascade,
    browser_hash text,
    sealed text not null,
    expires_at timestamptz not null
  )`,
  sql`create index oauth_flows_expires on oauth_flows (expires_at)`,
  sql`create table oauth_clients (
    org_id text not null references organizations (id) on delete cascade,
    issuer_hash text not null,
    issuer text not null,
    sealed text not null,
    created_at timestamptz not null,
    primary key (org_id, issuer_hash)
  )`,
  sql`create table mcp_connections (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    url text not null,
    label text not null,
    wanted_scope text,
    created_by text not null,
    created_at timestamptz not null
  )`,
  sql`create index mcp_connections_org on mcp_connections (org_id, id)`,
];

export const oauth: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
