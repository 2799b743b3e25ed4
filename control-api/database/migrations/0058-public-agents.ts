import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Agents that strangers may talk to on a page, and links that begin one conversation. */
const STATEMENTS = [
  sql`create table public_agents (
    agent_id text primary key references agents (id) on delete cascade,
    org_id text not null references organizations (id) on delete cascade,
    slug text not null unique,
    is_public boolean not null,
    settings jsonb not null,
    code_hash text,
    changed_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  sql`create table public_visits (
    agent_id text not null references agents (id) on delete cascade,
    day text not null,
    visitor text not null,
    count integer not null,
    primary key (agent_id, day, visitor)
  )`,
  sql`create index public_visits_day on public_visits (day)`,
  sql`create table public_leads (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    agent_id text not null,
    session_id text not null,
    fields jsonb not null,
    created_at timestamptz not null
  )`,
  sql`create index public_leads_agent on public_leads (org_id, agent_id, id)`,
  sql`create index public_leads_session on public_leads (session_id)`,
  sql`alter table client_tokens add column is_public boolean not null default false`,
];

export const publicAgents: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
