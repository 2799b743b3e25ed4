import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`create table billing_accounts (
    org_id text primary key,
    plan text not null default 'prepaid' check (plan in ('prepaid', 'postpaid')),
    state text not null default 'active' check (state in ('active', 'suspended')),
    suspended_at timestamptz,
    created_at timestamptz not null,
    check ((state = 'suspended') = (suspended_at is not null))
  )`,
  sql`create table ledger_transactions (
    id text primary key,
    org_id text not null,
    kind text not null,
    source text not null,
    at timestamptz not null,
    unique (org_id, source)
  )`,
  sql`create index ledger_transactions_at on ledger_transactions (org_id, at)`,
  sql`create table ledger_entries (
    transaction_id text not null references ledger_transactions (id),
    account text not null,
    org_id text not null,
    amount bigint not null check (amount <> 0),
    primary key (transaction_id, account)
  )`,
  sql`create table ledger_balances (
    org_id text not null,
    account text not null,
    balance bigint not null,
    primary key (org_id, account)
  )`,
  sql`create trigger ledger_transactions_stay before update or delete on ledger_transactions
    for each row execute function refuse_change()`,
  sql`create trigger ledger_entries_stay before update or delete on ledger_entries
    for each row execute function refuse_change()`,
  sql`create function ledger_is_balanced() returns trigger language plpgsql as $$
    declare transaction text; entries integer; total numeric;
    begin
      if tg_table_name = 'ledger_transactions' then transaction := new.id; else transaction := new.transaction_id; end if;
      select count(*), coalesce(sum(amount), 0) into entries, total
        from ledger_entries where transaction_id = transaction;
      if entries < 2 or total <> 0 then
        raise exception 'transaction % of the ledger has % entries and the sum %', transaction, entries, total
          using errcode = 'check_violation';
      end if;
      return null;
    end $$`,
  sql`create constraint trigger ledger_transactions_balance after insert on ledger_transactions
    deferrable initially deferred for each row execute function ledger_is_balanced()`,
  sql`create constraint trigger ledger_entries_balance after insert on ledger_entries
    deferrable initially deferred for each row execute function ledger_is_balanced()`,
  sql`create table billed_calls (
    session_id text primary key,
    org_id text not null,
    agent_id text not null,
    key_id text not null,
    estimate bigint not null check (estimate >= 0),
    held bigint not null check (held >= 0),
    settled_at timestamptz,
    created_at timestamptz not null,
    check (settled_at is null or held = 0)
  )`,
  sql`create index billed_calls_open on billed_calls (org_id) where settled_at is null`,
  sql`create table spending_limits (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    scope text not null check (scope in ('organization', 'agent', 'key')),
    scope_id text not null,
    period text not null check (period in ('day', 'month')),
    kind text not null check (kind in ('soft', 'hard')),
    amount bigint not null check (amount >= 0),
    warned_on date,
    created_at timestamptz not null,
    check ((scope = 'organization') = (scope_id = '')),
    unique (org_id, scope, scope_id, period, kind)
  )`,
];

/** Who owes whom how much, what is held for calls, and what may be spent. */
export const ledger: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
