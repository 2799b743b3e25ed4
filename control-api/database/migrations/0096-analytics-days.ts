import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What analytics reads of days that are over: the counts summed up for each agent, for each channel and for all of them (`*`), with
 * the response times of a row in two arrays; words by the day. `rolled_days` has the days that are, `late_days` those of them
 * that changed since.
 */
const STATEMENTS = [
  sql`create table call_figures (
    org_id text not null references organizations (id) on delete cascade,
    grain text not null check (grain in ('quarter', 'day')),
    agent_id text not null,
    channel text not null,
    at timestamptz not null,
    ended integer not null,
    answered integer not null,
    failed integer not null,
    talk_secs bigint not null,
    buckets smallint[] not null,
    turns integer[] not null,
    primary key (org_id, grain, agent_id, channel, at)
  )`,
  sql`create index call_figures_org on call_figures (org_id, at)`,
  // Whole days are written one after the other, and deleted by age.
  sql`create index call_figures_at on call_figures using brin (at)`,
  sql`create table word_figures (
    org_id text not null references organizations (id) on delete cascade,
    agent_id text not null,
    channel text not null,
    day timestamptz not null,
    measure text not null,
    value text not null,
    times integer not null,
    primary key (org_id, agent_id, channel, day, measure, value)
  )`,
  sql`create index word_figures_org on word_figures (org_id, day)`,
  sql`create index word_figures_day on word_figures using brin (day)`,
  sql`create table rolled_days (day timestamptz primary key)`,
  sql`create table late_days (
    org_id text not null references organizations (id) on delete cascade,
    day timestamptz not null
  )`,
  sql`create index late_days_org on late_days (org_id, day)`,
];

export const analyticsDays: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
