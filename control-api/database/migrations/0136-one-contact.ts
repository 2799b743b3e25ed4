import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Conversations that turned out to be one contact's know of each other; and what was said against messages outlives an
 * erasure apart from what was chosen about marketing.
 */
const STATEMENTS = [
  sql`alter table messaging_threads
    add column same_contact_as text references messaging_threads (id) on delete set null`,
  sql`create index messaging_threads_same_contact on messaging_threads (same_contact_as)
    where same_contact_as is not null`,
  sql`create table forgotten_stops (
    channel_id text not null references messaging_channels (id) on delete cascade,
    digest text not null,
    org_id text not null,
    number_digest text,
    asked_at timestamptz not null,
    primary key (channel_id, digest)
  )`,
  sql`create index forgotten_stops_org on forgotten_stops (org_id)`,
];

export const oneContact: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
