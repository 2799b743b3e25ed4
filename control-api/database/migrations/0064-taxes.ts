import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`create table tax_rates (
    id text primary key,
    country text not null,
    name text not null,
    millionths bigint not null check (millionths between 0 and 1000000),
    from_at timestamptz not null,
    created_at timestamptz not null,
    unique (country, from_at)
  )`,
  sql`create trigger tax_rates_stay before update or delete on tax_rates
    for each row execute function refuse_change()`,
  sql`create table billing_profiles (
    org_id text primary key references organizations (id) on delete cascade,
    legal_name text not null,
    address text not null,
    country text not null,
    tax_id text not null,
    is_exempt boolean not null default false
  )`,
  sql`create table invoice_counters (
    series text primary key,
    last_number bigint not null
  )`,
  sql`alter table invoices add column number text`,
  sql`alter table invoices add column tax_name text not null default ''`,
  sql`alter table invoices add column tax_millionths bigint not null default 0`,
  sql`alter table invoices add column credited bigint not null default 0 check (credited between 0 and total)`,
  sql`create unique index invoices_number on invoices (number)`,
  sql`create table credit_notes (
    id text primary key,
    number text not null unique,
    org_id text not null,
    invoice_id text not null references invoices (id),
    source text not null,
    net bigint not null,
    tax bigint not null,
    total bigint not null check (total = net + tax and total > 0),
    reason text not null,
    issued_at timestamptz not null,
    unique (invoice_id, source)
  )`,
  sql`create trigger credit_notes_stay before update or delete on credit_notes
    for each row execute function refuse_change()`,
];

/** Taxes by country, who is billed, invoices with numbers, and credit notes for them. */
export const taxes: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
