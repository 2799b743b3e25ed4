import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The message of an attempt, of campaigns that write instead of calling. */
const STATEMENTS = [sql`alter table campaign_attempts add column message_id text unique`];

export const campaignMessages: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
