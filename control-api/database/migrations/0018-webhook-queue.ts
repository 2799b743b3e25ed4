import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Each delivery is written at least twice after it was raised. With room on its page a claim writes no index again, and
 * the dead rows at the head of the queue go before claims have to step over many.
 */
const STATEMENT = sql`alter table webhook_deliveries set (
  fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000
)`;

export const webhookQueue: Migration = {
  up: async (db) => {
    await STATEMENT.execute(db);
  },
};
