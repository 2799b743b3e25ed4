import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** A call that a member is declining rings on until its gateway was told, and nobody answers it meanwhile. */
export const declining: Migration = {
  up: async (db) => {
    await sql`alter table calls add column declining boolean not null default false`.execute(db);
  },
};
