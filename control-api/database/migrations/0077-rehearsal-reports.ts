import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`create table rehearsal_reports (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    agent_id text not null references agents (id) on delete cascade,
    agent_version integer not null,
    of_draft boolean not null,
    fingerprint text not null,
    is_own boolean not null,
    passed integer not null,
    total integer not null,
    took_ms integer not null,
    scenarios jsonb not null,
    rehearsals jsonb not null,
    changes jsonb not null,
    created_by text not null,
    created_at timestamptz not null
  )`,
  sql`create index rehearsal_reports_agent on rehearsal_reports (agent_id, id)`,
  sql`create index rehearsal_reports_org on rehearsal_reports (org_id, id)`,
];

/** What came of rehearsals, from one version of an agent to the next. */
export const rehearsalReports: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
