import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Accounts of organizations at vendors, the keys that their credentials are sealed with, and the built-in demo shop. */
const STATEMENTS = [
  sql`create table org_data_keys (
    org_id text not null references organizations (id) on delete cascade,
    id text not null,
    key_sealed text not null,
    created_at timestamptz not null,
    retired_at timestamptz,
    primary key (org_id, id)
  )`,
  sql`create unique index org_data_keys_current on org_data_keys (org_id) where retired_at is null`,
  sql`create table integration_connections (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    provider_id text not null,
    account text not null,
    label text not null,
    status text not null check (status in ('active', 'error', 'disconnected')),
    credentials_sealed text not null,
    data_key_id text not null,
    credentials_shown text not null,
    settings text not null,
    facts text not null,
    last_error text,
    warnings text not null,
    verified_at timestamptz,
    version integer not null,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  // An account without an identity of its own is '' and constrains nobody.
  sql`create unique index integration_connections_account on integration_connections (org_id, provider_id, account)
    where account <> ''`,
  sql`create index integration_connections_org on integration_connections (org_id, provider_id, id)`,
  sql`create table demo_shop_bookings (
    connection_id text not null references integration_connections (id) on delete cascade,
    id text not null,
    email text not null,
    title text not null,
    starts_at timestamptz not null,
    status text not null check (status in ('confirmed', 'canceled')),
    primary key (connection_id, id)
  )`,
];

export const integrations: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
