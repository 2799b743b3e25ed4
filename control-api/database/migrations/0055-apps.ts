import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Apps inside the dashboard: what is published, and where it is installed. */
const STATEMENTS = [
  sql`create table apps (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    manifest_id text not null,
    name text not null,
    description text not null default '',
    listed boolean not null default false,
    active_version text,
    created_by text not null,
    created_at timestamptz not null,
    unique (org_id, manifest_id)
  )`,
  sql`create index apps_listed on apps (id) where listed`,
  sql`create table app_versions (
    app_id text not null references apps (id) on delete cascade,
    version text not null,
    manifest jsonb not null,
    scopes jsonb not null,
    problems jsonb not null,
    size_bytes integer not null,
    created_by text not null,
    created_at timestamptz not null,
    withdrawn_at timestamptz,
    primary key (app_id, version)
  )`,
  sql`create table app_bundle_files (
    app_id text not null,
    version text not null,
    path text not null,
    bytes bytea not null,
    primary key (app_id, version, path),
    foreign key (app_id, version) references app_versions (app_id, version) on delete cascade
  )`,
  sql`create table app_installs (
    org_id text not null references organizations (id) on delete cascade,
    app_id text not null references apps (id) on delete cascade,
    version text not null,
    scopes jsonb not null,
    settings jsonb not null,
    installed_by text not null,
    installed_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (org_id, app_id),
    foreign key (app_id, version) references app_versions (app_id, version)
  )`,
  sql`create index app_installs_app on app_installs (app_id, version)`,
  sql`create table app_secrets (
    id text not null unique,
    org_id text not null,
    app_id text not null,
    key text not null,
    sealed text not null,
    data_key_id text not null,
    primary key (org_id, app_id, key),
    foreign key (org_id, app_id) references app_installs (org_id, app_id) on delete cascade
  )`,
  sql`create table app_keys (
    id text primary key,
    org_id text not null,
    app_id text not null,
    name text not null,
    secret_hash text not null unique,
    last_four text not null,
    created_by text not null,
    created_at timestamptz not null,
    last_used_at timestamptz,
    revoked_at timestamptz,
    foreign key (org_id, app_id) references app_installs (org_id, app_id) on delete cascade
  )`,
  sql`create index app_keys_install on app_keys (org_id, app_id, id)`,
];

export const apps: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
