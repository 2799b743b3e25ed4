import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Health over time, endpoints that are somebody's terminal for a while, and a queue that is claimed by endpoint. */
const STATEMENTS = [
  // One index for lists, health and replays: each more is written again with every result.
  sql`drop index webhook_deliveries_endpoint`,
  sql`create index webhook_deliveries_endpoint_time on webhook_deliveries (endpoint_id, created_at, id)`,
  sql`drop index webhook_deliveries_due`,
  sql`create index webhook_deliveries_owed on webhook_deliveries (endpoint_id, next_attempt_at)
    where status in ('pending', 'failed')`,
  sql`create index webhook_deliveries_over on webhook_deliveries (created_at) where status in ('delivered', 'dead')`,
  sql`alter table webhook_deliveries add column origin text not null default 'event'
    check (origin in ('event', 'test', 'replay'))`,
  sql`alter table webhook_endpoints add column listening_until timestamptz, add column owners_told_at timestamptz`,
];

export const webhookHealth: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
