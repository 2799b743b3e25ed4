import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Campaigns, whom they call, and each attempt to. */
const STATEMENTS = [
  sql`create table campaigns (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    kind text not null check (kind in ('calls', 'whatsapp')),
    name text not null,
    status text not null check (status in ('draft', 'running', 'paused', 'done', 'canceled')),
    status_reason text,
    settings jsonb not null,
    next_dial_at timestamptz,
    failures integer not null default 0,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz
  )`,
  sql`create index campaigns_newest on campaigns (org_id, id desc)`,
  sql`create index campaigns_running on campaigns (id) where status = 'running'`,
  sql`create table campaign_targets (
    id text primary key,
    arrived bigint generated always as identity,
    campaign_id text not null references campaigns (id) on delete cascade,
    org_id text not null references organizations (id) on delete cascade,
    phone text not null,
    variables jsonb not null,
    zone text not null,
    state text not null default 'waiting' check (state in ('waiting', 'calling', 'done')),
    outcome text,
    attempts integer not null default 0,
    due_at timestamptz not null,
    created_at timestamptz not null,
    unique (campaign_id, phone)
  )`,
  sql`create index campaign_targets_order on campaign_targets (campaign_id, arrived)`,
  sql`create index campaign_targets_waiting on campaign_targets (campaign_id, zone, due_at) where state = 'waiting'`,
  sql`create table campaign_attempts (
    id text primary key,
    campaign_id text not null references campaigns (id) on delete cascade,
    org_id text not null references organizations (id) on delete cascade,
    target_id text not null references campaign_targets (id) on delete cascade,
    number integer not null,
    dealt_at timestamptz not null,
    session_id text unique,
    dialed_at timestamptz,
    settled_at timestamptz,
    outcome text,
    error text,
    talk_secs integer,
    unique (target_id, number)
  )`,
  sql`create index campaign_attempts_open on campaign_attempts (campaign_id) where settled_at is null`,
  sql`create index campaign_attempts_dialed on campaign_attempts (campaign_id, dialed_at)`,
];

export const campaigns: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
