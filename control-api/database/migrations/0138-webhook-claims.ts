import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Which attempts of deliveries a process has in hand. A row stands for all that it took of an endpoint at once, so that
 * taking them writes nothing into their own rows.
 */
const STATEMENTS = [
  sql`create table webhook_claims (
    id text not null,
    endpoint_id text not null,
    taken text[] not null,
    leased_until timestamptz not null,
    primary key (endpoint_id, id)
  )`,
  // Written and deleted all the time: what is dead is in the way of each claim.
  sql`alter table webhook_claims set (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 1000
  )`,
];

export const webhookClaims: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
