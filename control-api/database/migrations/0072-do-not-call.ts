import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Numbers that an organization does not call. */
const STATEMENTS = [
  sql`create table do_not_call (
    org_id text not null references organizations (id) on delete cascade,
    number text not null,
    reason text not null,
    source text not null check (source in ('member', 'import', 'call', 'key', 'message')),
    session_id text,
    added_by text,
    created_at timestamptz not null,
    primary key (org_id, number)
  )`,
  sql`create index do_not_call_newest on do_not_call (org_id, created_at desc, number desc)`,
];

export const doNotCall: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
