import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Counts the steps of machine detection, so that of two processes that look at the same one only one takes it. */
export const machineSteps: Migration = {
  up: async (db) => {
    await sql`alter table calls add column machine_steps integer not null default 0`.execute(db);
  },
};
