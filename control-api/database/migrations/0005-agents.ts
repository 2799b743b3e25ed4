import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Agents that change: what each version was, and which one a call ran with. */
const STATEMENTS = [
  sql`alter table agents
    add column version integer not null default 1,
    add column sealed jsonb not null default '{}'`,
  // Without a reference to the agent: what a call ran with can be read when its agent is gone.
  sql`create table agent_versions (
    agent_id text not null,
    version integer not null,
    org_id text not null references organizations (id) on delete cascade,
    name text not null,
    settings jsonb not null,
    sealed_names jsonb not null,
    actor_kind text not null check (actor_kind in ('user', 'key', 'nobody')),
    actor_id text,
    created_at timestamptz not null,
    primary key (agent_id, version)
  )`,
  sql`insert into agent_versions (agent_id, version, org_id, name, settings, sealed_names, actor_kind, created_at)
    select id, 1, org_id, name, settings #- '{brain,secret}',
      case when settings #> '{brain,secret}' is null then '[]'::jsonb else '["brain.secret"]'::jsonb end,
      'nobody', updated_at from agents`,
  sql`alter table calls add column agent_version integer`,
];

export const agents: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
