import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** An organization's calls under way are asked for every two seconds by each page that shows them. */
export const liveCalls: Migration = {
  up: async (db) => {
    await sql`create index calls_live on calls (org_id, id) where ended_at is null`.execute(db);
  },
};
