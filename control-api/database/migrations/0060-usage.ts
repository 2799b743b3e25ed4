import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'rows of % are never changed', tg_table_name using errcode = 'restrict_violation';
    end $$`,
  sql`create table prices (
    id text primary key,
    org_id text not null default '',
    metric text not null,
    vendor text not null default '',
    micros bigint not null check (micros >= 0),
    per bigint not null check (per > 0),
    from_at timestamptz not null,
    created_at timestamptz not null,
    unique (org_id, metric, vendor, from_at)
  )`,
  sql`create trigger prices_stay before update or delete on prices
    for each row execute function refuse_change()`,
  sql`create table usage_rows (
    source text not null,
    metric text not null,
    org_id text not null,
    session_id text,
    agent_id text not null,
    key_id text not null,
    channel text not null,
    vendor text not null,
    quantity bigint not null check (quantity > 0),
    price_id text references prices (id),
    amount bigint not null check (amount >= 0),
    at timestamptz not null,
    primary key (source, metric)
  )`,
  sql`create index usage_rows_session on usage_rows (session_id)`,
  sql`create trigger usage_rows_stay before update or delete on usage_rows
    for each row execute function refuse_change()`,
  sql`create table usage_days (
    org_id text not null,
    day date not null,
    agent_id text not null,
    key_id text not null,
    channel text not null,
    vendor text not null,
    metric text not null,
    quantity bigint not null,
    amount bigint not null,
    primary key (org_id, day, agent_id, key_id, channel, vendor, metric)
  )`,
];

/** What was used, and what it cost. */
export const usage: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
