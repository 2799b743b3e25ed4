import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** When each of the last ones was taken, for limits that hold in every window and not from edge to edge. */
export const slidingLimits: Migration = {
  up: async (db) => {
    await sql`alter table rate_limits add column taken_at timestamptz[]`.execute(db);
  },
};
