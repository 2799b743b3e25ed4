import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The parts of a response that were measured nowhere. */
export const turnParts: Migration = {
  up: async (db) => {
    await sql`alter table call_turns
      add column brain_request_ms integer not null default 0,
      add column first_clause_ms integer not null default 0`.execute(db);
  },
};
