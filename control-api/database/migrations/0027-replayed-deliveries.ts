import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Of which delivery another one is the repetition: what was replayed already is not replayed again. Its index is one of
 * `LONG_INDEXES`: the whole table is read for it, and a migration keeps calls and deliveries waiting until it is over.
 */
export const replayedDeliveries: Migration = {
  up: async (db) => {
    await sql`alter table webhook_deliveries add column replay_of text`.execute(db);
  },
};
