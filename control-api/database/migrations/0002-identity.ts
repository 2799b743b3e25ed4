import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const ROLE = sql.raw("text not null check (role in ('owner', 'admin', 'developer', 'member', 'viewer'))");

/** Accounts, sign-ins and every credential that is given out. */
const STATEMENTS = [
  sql`alter table users
    alter column email drop not null,
    alter column password_hash drop not null,
    add column mobile text unique,
    add column name text not null default '',
    add column verified_at timestamptz,
    add constraint users_identifier check (email is not null or mobile is not null)`,
  // Who could be there before this migration is the demo's owner.
  sql`update users set verified_at = created_at`,
  sql`alter table memberships add column created_at timestamptz not null default now()`,
  sql`create index memberships_user on memberships (user_id)`,
  sql`create index api_keys_creator on api_keys (created_by)`,
  sql`create table invitations (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    email text not null,
    role ${ROLE},
    token_hash text not null unique,
    invited_by text not null references users (id) on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    accepted_at timestamptz,
    revoked_at timestamptz
  )`,
  sql`create index invitations_org on invitations (org_id, created_at desc)`,
  sql`create table user_sessions (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    method text not null,
    ip text not null,
    user_agent text not null,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    revoked_reason text
  )`,
  sql`create index user_sessions_user on user_sessions (user_id, last_used_at desc)`,
  sql`create table refresh_tokens (
    token_hash text primary key,
    session_id text not null references user_sessions (id) on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    successor_sealed text
  )`,
  sql`create index refresh_tokens_session on refresh_tokens (session_id)`,
  sql`create table signing_keys (
    kid text primary key,
    public_jwk jsonb not null,
    private_sealed text not null,
    created_at timestamptz not null,
    active_from timestamptz not null
  )`,
  sql`create table one_time_codes (
    id text primary key,
    purpose text not null check (purpose in ('login', 'verify')),
    user_id text references users (id) on delete cascade,
    channel text not null check (channel in ('email', 'phone')),
    destination text not null,
    code_hash text not null,
    attempts integer not null default 0,
    sent_at timestamptz not null,
    expires_at timestamptz not null,
    consumed_at timestamptz
  )`,
  sql`create index one_time_codes_expires on one_time_codes (expires_at)`,
  sql`create table password_resets (
    token_hash text primary key,
    user_id text references users (id) on delete cascade,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  sql`create table mfa_totp (
    user_id text primary key references users (id) on delete cascade,
    secret_sealed text not null,
    confirmed_at timestamptz,
    last_step integer,
    created_at timestamptz not null
  )`,
  sql`create table mfa_recovery_codes (
    user_id text not null references users (id) on delete cascade,
    code_hash text not null,
    used_at timestamptz,
    primary key (user_id, code_hash)
  )`,
  sql`create table mfa_pending (
    token_hash text primary key,
    user_id text not null references users (id) on delete cascade,
    expires_at timestamptz not null
  )`,
  sql`create table user_identities (
    idp text not null,
    subject text not null,
    user_id text not null references users (id) on delete cascade,
    created_at timestamptz not null,
    primary key (idp, subject)
  )`,
  sql`create index user_identities_user on user_identities (user_id)`,
  sql`create table oidc_flows (
    state_hash text primary key,
    idp text not null,
    sealed text not null,
    expires_at timestamptz not null
  )`,
  sql`create table rate_limits (
    key text primary key,
    count integer not null,
    resets_at timestamptz not null
  )`,
  sql`create index rate_limits_resets on rate_limits (resets_at)`,
  sql`create table client_tokens (
    id text primary key,
    token_hash text not null unique,
    org_id text not null references organizations (id) on delete cascade,
    agent_id text not null references agents (id) on delete cascade,
    fixed jsonb not null,
    allowed_origins jsonb,
    max_uses integer not null,
    uses integer not null default 0,
    minted_by text not null references users (id) on delete cascade,
    key_id text references api_keys (id) on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  sql`create index client_tokens_expires on client_tokens (expires_at)`,
  sql`create table audit_events (
    id text primary key,
    org_id text references organizations (id) on delete cascade,
    user_id text,
    actor_kind text not null check (actor_kind in ('user', 'key', 'nobody')),
    actor_id text,
    action text not null,
    outcome text not null check (outcome in ('success', 'failure')),
    ip text not null,
    user_agent text not null,
    details jsonb not null,
    at timestamptz not null
  )`,
  sql`create index audit_events_org on audit_events (org_id, id desc)`,
  sql`create index audit_events_user on audit_events (user_id, id desc)`,
];

export const identity: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
