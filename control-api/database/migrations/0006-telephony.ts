import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Phone calls: whose numbers, which carrier's leg, who answered. */
const STATEMENTS = [
  sql`create table phone_numbers (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    number text not null,
    carrier text not null,
    label text not null,
    agent_id text,
    user_id text,
    created_at timestamptz not null,
    unique (org_id, number)
  )`,
  // The phones of the loopback carrier exist once in each organization, a real number once in the world.
  sql`create unique index phone_numbers_owner on phone_numbers (number) where carrier <> 'loopback'`,
  sql`alter table calls add column carrier text, add column call_sid text, add column answered_by text,
    add column machine_detection text, add column machine_state text not null default 'unknown'`,
  sql`create unique index calls_leg on calls (carrier, call_sid) where call_sid is not null`,
  sql`create table idempotent_requests (
    principal text not null,
    route text not null,
    key text not null,
    body_hash text not null,
    status integer,
    response text,
    locked_until timestamptz not null,
    created_at timestamptz not null,
    primary key (principal, route, key)
  )`,
  sql`create index idempotent_requests_age on idempotent_requests (created_at)`,
];

export const telephony: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
