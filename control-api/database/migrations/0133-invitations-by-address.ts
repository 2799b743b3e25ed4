import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Signed-in people are shown the invitations to their address. */
export const invitationsByAddress: Migration = {
  up: async (db) => {
    await sql`create index invitations_email on invitations (email)
      where accepted_at is null and revoked_at is null`.execute(db);
  },
};
