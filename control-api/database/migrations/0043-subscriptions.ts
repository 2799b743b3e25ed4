import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`create table event_feed (
    position bigint primary key,
    event_id text not null,
    type text not null,
    recorded_at timestamptz not null
  )`,
  sql`create table event_feed_head (id integer primary key check (id = 1), position bigint not null)`,
  sql`create table event_cursors (name text primary key, position bigint not null)`,
];

/** Recorded events in the order of their commits, and how far each subscription is. */
export const subscriptions: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
