import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Text chats: beside each one's row in `calls`, whose turn it is and what was not recorded yet. */
const STATEMENTS = [
  sql`create table chats (
    session_id text primary key references calls (session_id) on delete cascade,
    org_id text not null references organizations (id) on delete cascade,
    turns integer not null default 0,
    next_seq integer not null default 0,
    lease_id text,
    lease_until timestamptz,
    active_at timestamptz not null,
    end_reason text,
    settled_at timestamptz,
    heard jsonb,
    held_events jsonb not null default '[]',
    handed_at timestamptz not null,
    created_at timestamptz not null
  )`,
  sql`create index chats_open on chats (active_at) where settled_at is null`,
  sql`create index chats_holding on chats (handed_at) where held_events <> '[]'::jsonb`,
];

export const chat: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
