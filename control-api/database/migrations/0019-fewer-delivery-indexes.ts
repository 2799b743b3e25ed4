import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** With every result all indexes of its row are written again: each must be worth that. */
const STATEMENTS = [
  // It found samples only, which the deliveries of each endpoint give as well.
  sql`drop index webhook_deliveries_org_event`,
  sql`drop index webhook_deliveries_over`,
  // Rows come in the order of time: a summary of each stretch of the table tells the cleaner where the old ones are.
  sql`create index webhook_deliveries_age on webhook_deliveries using brin (created_at)`,
  // Nearly all are delivered whenever somebody counts. Planned for none that is owed, a backlog is sorted at each step.
  sql`alter table webhook_deliveries alter column status set statistics 0`,
  // What was counted before is forgotten with the type, which stays the same.
  sql`alter table webhook_deliveries alter column status type text`,
];

export const fewerDeliveryIndexes: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
