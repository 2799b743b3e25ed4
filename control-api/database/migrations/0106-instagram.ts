import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`alter table messaging_channels drop constraint messaging_channels_provider_check`,
  sql`alter table messaging_channels add constraint messaging_channels_provider_check
    check (provider in ('whatsapp', 'instagram'))`,
];

/** Accounts of Instagram are channels as numbers of WhatsApp are. */
export const instagram: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
