import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What contacts last chose about a channel's marketing messages, in the provider's app: by number or user id, also where
 * there is no conversation. The do-not-call list tells it apart from what they wrote.
 */
const STATEMENTS = [
  sql`create table messaging_choices (
    channel_id text not null references messaging_channels (id) on delete cascade,
    address text not null,
    org_id text not null,
    wish text not null check (wish in ('out', 'in')),
    chosen_at timestamptz not null,
    primary key (channel_id, address)
  )`,
  sql`create index messaging_choices_address on messaging_choices (org_id, address)`,
  sql`alter table do_not_call drop constraint do_not_call_source_check`,
  sql`alter table do_not_call add constraint do_not_call_source_check
    check (source in ('member', 'import', 'call', 'key', 'message', 'whatsapp'))`,
];

export const marketingChoices: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
