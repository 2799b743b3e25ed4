import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Contacts who asked for no more messages, also those who have no number that could be on a list. */
export const messageOptOuts: Migration = {
  up: async (db) => {
    await sql`alter table messaging_threads add column opted_out_at timestamptz`.execute(db);
  },
};
