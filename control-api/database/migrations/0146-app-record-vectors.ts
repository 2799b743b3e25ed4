import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`alter table app_records add column embedded_in text`,
  // Finds what is not embedded, or embedded by another model, without reading all records.
  sql`create index app_records_embedded on app_records (embedded_in) where words is not null`,
  sql`create table app_record_vectors (
    record bigint primary key references app_records (seq) on delete cascade,
    store_id integer not null,
    space text not null,
    embedding real[] not null
  )`,
  // Numbers of vectors do not shrink when compressed.
  sql`alter table app_record_vectors alter column embedding set storage external`,
  sql`create index app_record_vectors_store on app_record_vectors (store_id, space)`,
];

/**
 * Records of apps are searched by their stems, and by what they mean. Needs no extension: only comparing vectors does. The
 * records that are there get their stems later, in batches (`stemsRecords`): all at once, they would be locked for minutes,
 * and whoever writes one meanwhile would end the migration.
 */
export const appRecordVectors: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
