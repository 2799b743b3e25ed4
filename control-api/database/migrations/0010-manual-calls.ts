import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Calls between two people have no agent. */
export const manualCalls: Migration = {
  up: async (db) => {
    await sql`alter table calls alter column agent_id drop not null`.execute(db);
  },
};
