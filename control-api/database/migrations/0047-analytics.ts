import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** As the code rounds down to them: all zones of the world begin their days with a quarter of an hour. */
const QUARTER = sql`to_timestamp(floor(extract(epoch from calls.created_at) / 900) * 900)`;
/** The first bucket ends with 50 ms, and each next one is a tenth longer. */
const BUCKET = sql`greatest(0, ceil(ln(greatest(response_ms, 1) / 50.0) / ln(1.1)))::int`;
/** Of calls before the counts: as much as pages compare, and a month of it to spare. */
const COUNTED = sql`calls.ended_at is not null and calls.created_at > now() - interval '32 days'`;

/** Calls and response times counted by the quarter of an hour, so that an overview of a million calls reads few rows. */
const STATEMENTS = [
  sql`create table call_counts (
    org_id text not null references organizations (id) on delete cascade,
    quarter timestamptz not null,
    agent_id text not null,
    channel text not null,
    ended integer not null,
    answered integer not null,
    failed integer not null,
    talk_secs bigint not null,
    primary key (org_id, quarter, agent_id, channel)
  )`,
  sql`create index call_counts_quarter on call_counts (quarter)`,
  sql`create table response_counts (
    org_id text not null references organizations (id) on delete cascade,
    quarter timestamptz not null,
    agent_id text not null,
    bucket integer not null,
    turns integer not null,
    primary key (org_id, quarter, agent_id, bucket)
  )`,
  sql`create index response_counts_quarter on response_counts (quarter)`,
  sql`insert into call_counts (org_id, quarter, agent_id, channel, ended, answered, failed, talk_secs)
    select org_id, ${QUARTER}, coalesce(agent_id, ''), channel, count(*)::int,
      (count(*) filter (where started_at is not null))::int,
      (count(*) filter (where status = 'failed'))::int,
      coalesce(sum(duration_secs), 0)
    from calls where ${COUNTED} group by 1, 2, 3, 4`,
  sql`insert into response_counts (org_id, quarter, agent_id, bucket, turns)
    select org_id, ${QUARTER}, coalesce(agent_id, ''), ${BUCKET}, count(*)::int
    from calls join call_turns on call_turns.session_id = calls.session_id
    where ${COUNTED} group by 1, 2, 3, 4`,
];

export const analytics: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
