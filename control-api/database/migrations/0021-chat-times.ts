import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** When the last event of a chat happened: the next one happens later, whichever process tells it. */
export const chatTimes: Migration = {
  up: async (db) => {
    await sql`alter table chats add column last_event_at timestamptz`.execute(db);
  },
};
