import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The key with which an organization recognizes what it has erased: what contacts chose about messages outlives them as
 * a digest of their address, made with it.
 */
const STATEMENTS = [
  sql`create table org_digest_keys (
    org_id text primary key references organizations (id) on delete cascade,
    key_sealed text not null
  )`,
  // The digest of the number of whoever has a user id, too: who takes it off the list means both.
  sql`alter table messaging_choices add column number_digest text`,
];

export const forgottenChoices: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
