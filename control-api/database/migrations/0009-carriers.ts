import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The accounts that organizations have at carriers. */
const STATEMENTS = [
  sql`create table carrier_connections (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    carrier text not null check (carrier in ('twilio', 'telnyx', 'plivo', 'vonage')),
    account text not null,
    credentials_sealed text not null,
    version integer not null,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (org_id, carrier)
  )`,
];

export const carriers: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
