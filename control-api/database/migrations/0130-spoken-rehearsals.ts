import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Rehearsals in speech: their reports exist from the beginning, and what is held is kept until the end. */
export const spokenRehearsals: Migration = {
  up: async (db) => {
    await sql`alter table rehearsal_reports
      add column mode text not null default 'text',
      add column state text not null default 'done',
      add column error text,
      add column noise jsonb,
      add column agent jsonb`.execute(db);
  },
};
