import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`alter table calls add column is_visitors boolean not null default false`,
  // Few calls are in it: it is counted in each time that a stranger calls.
  sql`create index calls_visitors_live on calls (agent_id) where is_visitors and ended_at is null`,
];

/** Calls from agents' public pages are told apart, so that those at once can be bounded. */
export const visitorsCalls: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
