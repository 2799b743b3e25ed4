import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Health over time, and endpoints that are somebody's terminal for a while. */
const STATEMENTS = [
  sql`create index webhook_deliveries_endpoint_time on webhook_deliveries (endpoint_id, created_at)`,
  sql`alter table webhook_endpoints add column listening_until timestamptz`,
];

export const webhookHealth: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
