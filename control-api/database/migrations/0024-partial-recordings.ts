import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Recordings of which a part could not be written. */
export const partialRecordings: Migration = {
  up: async (db) => {
    await sql`alter table recordings add column partial boolean not null default false`.execute(db);
  },
};
