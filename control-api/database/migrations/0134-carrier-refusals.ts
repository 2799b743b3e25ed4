import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Since when a carrier refuses an account; null while it takes it. */
export const carrierRefusals: Migration = {
  up: async (db) => {
    await sql`alter table carrier_connections add column refused_at timestamptz`.execute(db);
  },
};
