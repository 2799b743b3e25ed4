import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Channels over which people write: senders, conversations, messages, and how far each message came. */
const STATEMENTS = [
  sql`create table messaging_channels (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    provider text not null check (provider in ('whatsapp')),
    account text not null,
    credentials_sealed text not null,
    version integer not null,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    name text not null default '',
    agent_id text,
    phone text,
    verified_name text,
    business_account text,
    quality text,
    last_error text,
    health jsonb not null default '{}',
    checked_at timestamptz,
    unique (org_id, provider, account)
  )`,
  sql`create table messaging_threads (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    channel_id text not null references messaging_channels (id) on delete cascade,
    contact_phone text,
    contact_user_id text,
    contact_name text,
    mode text not null default 'agent' check (mode in ('agent', 'member')),
    taken_by text,
    session_id text,
    trouble text,
    unread integer not null default 0,
    last_inbound_at timestamptz,
    last_message_at timestamptz not null,
    created_at timestamptz not null
  )`,
  sql`create unique index messaging_threads_phone on messaging_threads (channel_id, contact_phone)
    where contact_phone is not null`,
  sql`create unique index messaging_threads_user on messaging_threads (channel_id, contact_user_id)
    where contact_user_id is not null`,
  sql`create index messaging_threads_newest on messaging_threads (org_id, last_message_at desc, id desc)`,
  sql`create table messaging_messages (
    id text primary key,
    arrived bigint generated always as identity,
    org_id text not null references organizations (id) on delete cascade,
    channel_id text not null references messaging_channels (id) on delete cascade,
    thread_id text not null references messaging_threads (id) on delete cascade,
    direction text not null check (direction in ('in', 'out')),
    wamid text,
    type text not null,
    body text,
    content jsonb,
    sealed text,
    author text not null check (author in ('contact', 'agent', 'member', 'key')),
    author_id text,
    status text not null,
    errors jsonb,
    session_id text,
    answered boolean not null,
    sent_at timestamptz not null,
    created_at timestamptz not null
  )`,
  sql`create unique index messaging_messages_wamid on messaging_messages (channel_id, wamid) where wamid is not null`,
  sql`create index messaging_messages_thread on messaging_messages (thread_id, sent_at desc, arrived desc)`,
  sql`create index messaging_messages_waiting on messaging_messages (thread_id, arrived)
    where direction = 'in' and not answered`,
  sql`create index messaging_messages_queue on messaging_messages (thread_id, arrived)
    where status in ('queued', 'sending')`,
  sql`create index messaging_messages_session on messaging_messages (session_id) where session_id is not null`,
  sql`create table messaging_statuses (
    channel_id text not null references messaging_channels (id) on delete cascade,
    wamid text not null,
    status text not null,
    updated_at timestamptz not null,
    primary key (channel_id, wamid)
  )`,
  sql`create index messaging_statuses_age on messaging_statuses (updated_at)`,
];

export const messaging: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
