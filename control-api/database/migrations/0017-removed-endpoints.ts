import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** An endpoint that is removed while its organization is held stays until the hold ends, with what it was sent. */
const STATEMENTS = [
  sql`alter table webhook_endpoints add column removed_at timestamptz`,
  sql`create index webhook_endpoints_removed on webhook_endpoints (removed_at) where removed_at is not null`,
];

export const removedEndpoints: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
