import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What is in a message besides words, where it is kept, and whether a job still pulls it. */
const STATEMENTS = [
  sql`alter table messaging_messages add column media jsonb`,
  sql`create index messaging_messages_media on messaging_messages (channel_id) where media is not null`,
];

export const messageMedia: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
