import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Refunds and disputes that were reported before the payments they take back. */
export const earlyReversals: Migration = {
  up: async (db) => {
    await sql`create table early_reversals (
      source text primary key,
      kind text not null,
      intent_id text not null,
      amount bigint not null,
      received_at timestamptz not null
    )`.execute(db);
    await sql`create index early_reversals_intent on early_reversals (intent_id)`.execute(db);
    await sql`create index early_reversals_received on early_reversals (received_at)`.execute(db);
  },
};
