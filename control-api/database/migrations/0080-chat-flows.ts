import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Where a chat stands in the flow of its agent. */
export const chatFlows: Migration = {
  up: async (db) => {
    await sql`alter table chats add column flow text`.execute(db);
  },
};
