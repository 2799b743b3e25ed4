import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`create table payments (
    id text primary key,
    org_id text not null,
    provider text not null check (provider in ('stripe', 'manual')),
    purpose text not null check (purpose in ('top_up', 'auto_top_up', 'invoice')),
    invoice_id text,
    amount bigint not null check (amount > 0),
    state text not null check (state in ('pending', 'succeeded', 'failed')),
    keeps_method boolean not null,
    intent_id text,
    failure text,
    created_at timestamptz not null,
    settled_at timestamptz,
    check ((purpose = 'invoice') = (invoice_id is not null)),
    check ((state = 'pending') = (settled_at is null))
  )`,
  sql`create index payments_org on payments (org_id, created_at)`,
  sql`create unique index payments_intent on payments (intent_id) where intent_id is not null`,
  sql`create unique index payments_one_auto on payments (org_id) where purpose = 'auto_top_up' and state = 'pending'`,
  sql`create table payment_events (
    event_id text primary key,
    received_at timestamptz not null
  )`,
  sql`create index payment_events_received on payment_events (received_at)`,
  sql`create table payment_methods (
    org_id text primary key references organizations (id) on delete cascade,
    customer_id text not null,
    method_id text,
    top_up_below bigint check (top_up_below >= 0),
    top_up_amount bigint check (top_up_amount > 0),
    paused_for text,
    check ((top_up_below is null) = (top_up_amount is null))
  )`,
];

/** Payments by card and transfer, and what wallets are topped up with by themselves. */
export const payments: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
