import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Who is told of what, and what is on its way. */
const STATEMENTS = [
  sql`create table webhook_endpoints (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    url text not null,
    events jsonb not null,
    agent_id text,
    include_recording boolean not null,
    include_transcript boolean not null,
    secret_sealed text not null,
    enabled boolean not null default true,
    last_error text,
    created_by text not null,
    created_at timestamptz not null
  )`,
  sql`create index webhook_endpoints_org on webhook_endpoints (org_id)`,
  sql`create table webhook_deliveries (
    id text primary key,
    endpoint_id text not null references webhook_endpoints (id) on delete cascade,
    org_id text not null,
    event text not null,
    body text not null,
    status text not null check (status in ('pending', 'failed', 'delivered', 'dead')),
    attempts integer not null default 0,
    created_at timestamptz not null,
    next_attempt_at timestamptz not null,
    leased_until timestamptz,
    claim_id text,
    last_attempt_at timestamptz,
    response_status integer,
    response_body text,
    error text,
    duration_ms integer
  )`,
  sql`create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status in ('pending', 'failed')`,
  sql`create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id desc)`,
  sql`create index webhook_deliveries_org_event on webhook_deliveries (org_id, event, id desc)`,
  sql`alter table organizations add column legal_hold boolean not null default false`,
];

export const webhooks: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
