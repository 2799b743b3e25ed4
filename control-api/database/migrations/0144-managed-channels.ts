import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** WhatsApp numbers of the operator's own business account, lent to organizations. */
const STATEMENTS = [
  sql`alter table messaging_channels add column managed boolean not null default false`,
  // A number is lent to one organization at a time.
  sql`create unique index messaging_channels_managed on messaging_channels (provider, account) where managed`,
];

export const managedChannels: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
