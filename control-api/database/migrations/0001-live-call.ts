import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Who may call, which agents there are, and what is kept of a call. */
const STATEMENTS = [
  sql`create table organizations (
    id text primary key,
    name text not null,
    created_at timestamptz not null
  )`,
  sql`create table users (
    id text primary key,
    email text not null unique,
    password_hash text not null,
    status text not null check (status in ('active', 'deactivated')),
    created_at timestamptz not null
  )`,
  sql`create table memberships (
    org_id text not null references organizations (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    role text not null check (role in ('owner', 'admin', 'developer', 'member', 'viewer')),
    primary key (org_id, user_id)
  )`,
  sql`create table api_keys (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    name text not null,
    role text not null check (role in ('owner', 'admin', 'developer', 'member', 'viewer')),
    secret_hash text not null unique,
    last_four text not null,
    created_by text not null references users (id),
    last_used_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz not null
  )`,
  sql`create index api_keys_org on api_keys (org_id)`,
  sql`create table agents (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    name text not null,
    settings jsonb not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  sql`create index agents_org on agents (org_id)`,
  sql`create table calls (
    id text primary key,
    session_id text not null unique,
    org_id text not null references organizations (id) on delete cascade,
    agent_id text not null,
    user_id text not null,
    identifier text,
    variables jsonb not null,
    node_id text not null,
    channel text not null,
    direction text not null,
    from_number text,
    to_number text,
    status text not null default 'queued',
    end_reason text,
    created_at timestamptz not null,
    started_at timestamptz,
    ended_at timestamptz,
    duration_secs integer
  )`,
  sql`create index calls_org_created on calls (org_id, created_at desc)`,
  sql`create index calls_unfinished on calls (status, created_at) where ended_at is null`,
  sql`create table call_messages (
    event_id text primary key,
    session_id text not null,
    org_id text not null,
    seq integer not null,
    turn integer not null,
    role text not null check (role in ('user', 'assistant')),
    text text not null,
    interrupted boolean not null,
    source text not null,
    at timestamptz not null
  )`,
  sql`create index call_messages_session on call_messages (session_id, seq)`,
  sql`create table call_turns (
    session_id text not null,
    turn integer not null,
    end_of_turn_ms integer not null,
    brain_first_token_ms integer not null,
    tts_first_byte_ms integer not null,
    response_ms integer not null,
    at timestamptz not null,
    primary key (session_id, turn)
  )`,
  sql`create table call_tools (
    event_id text primary key,
    session_id text not null,
    org_id text not null,
    turn integer not null,
    name text not null,
    arguments jsonb,
    result jsonb,
    status text not null,
    latency_ms integer not null,
    at timestamptz not null
  )`,
  sql`create index call_tools_session on call_tools (session_id)`,
  sql`create table recordings (
    id text primary key,
    session_id text not null,
    org_id text not null,
    key text not null,
    duration_ms integer not null,
    size_bytes bigint not null,
    created_at timestamptz not null
  )`,
  sql`create index recordings_session on recordings (session_id)`,
  sql`create table call_events (
    id text primary key,
    session_id text not null,
    org_id text not null,
    seq integer not null,
    type text not null,
    at timestamptz not null,
    body jsonb not null
  )`,
  sql`create index call_events_session on call_events (session_id, seq)`,
];

export const liveCall: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
