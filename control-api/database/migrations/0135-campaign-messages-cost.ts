import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`alter table messaging_messages add column campaign_id text not null default ''`,
  sql`alter table usage_rows add column campaign_id text not null default ''`,
];

/** What messages of a campaign cost is its own: their usage names it, as a call's does. */
export const campaignMessagesCost: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
