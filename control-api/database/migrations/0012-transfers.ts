import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The transfer of a live call: which one, how far it is, and what is known of it until it is over. */
export const transfers: Migration = {
  up: async (db) => {
    await sql`alter table calls add column transfer_state text not null default 'none',
      add column transfer_id text, add column transfer text`.execute(db);
  },
};
