import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** How far the events of calls whose content was deleted are forgotten, so that no round looks at all such calls. */
export const forgottenEvents: Migration = {
  up: async (db) => {
    await sql`create table forgotten_events (
      id integer primary key check (id = 1),
      content_deleted_at timestamptz not null,
      session_id text not null
    )`.execute(db);
  },
};
