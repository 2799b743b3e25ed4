import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`alter table usage_days add column invoiced_quantity bigint not null default 0`,
  sql`alter table usage_days add column invoiced bigint not null default 0`,
  sql`create index usage_days_uninvoiced on usage_days (org_id, day) where amount <> invoiced`,
  sql`alter table billing_accounts add column invoiced_to date`,
  sql`create table invoices (
    id text primary key,
    org_id text not null,
    period_start date not null,
    period_end date not null,
    state text not null check (state in ('open', 'overdue', 'paid')),
    subtotal bigint not null,
    tax bigint not null,
    total bigint not null,
    issued_at timestamptz not null,
    due_at timestamptz not null,
    overdue_at timestamptz,
    paid_at timestamptz,
    unique (org_id, period_start),
    check (period_start <= period_end),
    check ((state = 'paid') = (paid_at is not null))
  )`,
  sql`create index invoices_unpaid on invoices (org_id) where state <> 'paid'`,
  sql`create table invoice_lines (
    invoice_id text not null references invoices (id),
    seq integer not null,
    metric text not null,
    vendor text not null,
    quantity bigint not null,
    amount bigint not null,
    primary key (invoice_id, seq)
  )`,
  sql`create trigger invoice_lines_stay before update or delete on invoice_lines
    for each row execute function refuse_change()`,
  sql`create table billing_numbers (
    number_id text primary key,
    org_id text not null,
    e164 text not null,
    carrier text not null,
    state text not null check (state in ('active', 'noticed', 'overdue', 'release_pending', 'released')),
    added_at timestamptz not null,
    renewals integer not null default 0,
    overdue_at timestamptz,
    released_at timestamptz,
    check ((state = 'overdue') = (overdue_at is not null)),
    check ((state = 'released') = (released_at is not null))
  )`,
  sql`create index billing_numbers_org on billing_numbers (org_id) where state <> 'released'`,
];

/** Invoices, and the numbers that are renewed. */
export const invoices: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
