import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`create table memories (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    agent_id text not null references agents (id) on delete cascade,
    identifier text not null,
    kind text not null check (kind in ('summary', 'field', 'action_item', 'note')),
    key text,
    text text not null,
    session_id text,
    corrected_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  sql`create index memories_org on memories (org_id, id)`,
  sql`create index memories_person on memories (org_id, identifier, id)`,
  sql`create unique index memories_field on memories (agent_id, identifier, key) where key is not null`,
  sql`create index memories_session on memories (session_id) where session_id is not null`,
  sql`create index memories_expires on memories (expires_at)`,
];

/** What agents remember of people from one conversation to the next. */
export const memories: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
