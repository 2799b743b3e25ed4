import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Files an organization uploads, to be played into manual calls. */
const STATEMENTS = [
  sql`create table ambient_tracks (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    name text not null,
    key text not null,
    duration_ms integer not null,
    size_bytes integer not null,
    sample_rate_hz integer not null,
    channels integer not null,
    created_at timestamptz not null,
    hidden_at timestamptz
  )`,
  sql`create index ambient_tracks_org on ambient_tracks (org_id, id)`,
  sql`create index ambient_tracks_hidden on ambient_tracks (hidden_at) where hidden_at is not null`,
];

export const ambientTracks: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
