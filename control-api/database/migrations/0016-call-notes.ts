import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What people wrote down about a call. */
export const callNotes: Migration = {
  up: async (db) => {
    await sql`alter table calls add column notes text not null default ''`.execute(db);
  },
};
