import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** A request that spends money writes down for which session before it does, and who it is. */
export const callIntents: Migration = {
  up: async (db) => {
    await sql`alter table idempotent_requests add column holder text, add column session_id text`.execute(db);
  },
};
