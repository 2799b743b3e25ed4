import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Recordings that were compressed: until the WAV file is deleted, when that was. */
export const compressedRecordings: Migration = {
  up: async (db) => {
    await sql`alter table recordings add column compressed_at timestamptz`.execute(db);
  },
};
