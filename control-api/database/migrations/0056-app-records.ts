import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What apps keep in records, and each of a record's plain values once more, so that any field has an index. */
const STATEMENTS = [
  sql`create table app_stores (
    id integer generated always as identity primary key,
    org_id text not null references organizations (id) on delete cascade,
    app_id text not null,
    object_type text not null,
    records integer not null,
    bytes bigint not null,
    removed_at timestamptz
  )`,
  sql`create unique index app_stores_type on app_stores (org_id, app_id, object_type) where removed_at is null`,
  sql`create index app_stores_removed on app_stores (id) where removed_at is not null`,
  sql`create table app_records (
    seq bigint generated always as identity primary key,
    store_id integer not null references app_stores (id) on delete cascade,
    id text not null unique,
    data jsonb not null,
    size_bytes integer not null,
    words tsvector,
    created_at timestamptz not null,
    updated_at timestamptz
  )`,
  sql`create index app_records_store on app_records (store_id, seq)`,
  sql`create index app_records_words on app_records using gin (words) where words is not null`,
  sql`create table app_record_values (
    record bigint not null references app_records (seq) on delete cascade,
    store_id integer not null,
    field text not null,
    kind text not null,
    text_value text collate "C" not null,
    num_value double precision,
    primary key (record, field)
  )`,
  sql`create index app_record_values_text on app_record_values (store_id, field, text_value, record)`,
  sql`create index app_record_values_number on app_record_values (store_id, field, num_value, record)
    where num_value is not null`,
];

export const appRecords: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
