import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Personal data that calls were to collect, sealed with the organization's data key. */
const STATEMENTS = [
  sql`create table pii_vault (
    id text primary key,
    session_id text not null,
    org_id text not null references organizations (id) on delete cascade,
    rule_slug text not null,
    field_key text,
    source text not null,
    value_sealed text not null,
    data_key_id text not null,
    expires_at timestamptz not null,
    created_at timestamptz not null
  )`,
  sql`create index pii_vault_session on pii_vault (session_id)`,
  sql`create index pii_vault_expires on pii_vault (expires_at)`,
  sql`create index pii_vault_key on pii_vault (org_id, data_key_id)`,
];

export const piiVault: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
