import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const QUARTER = sql`to_timestamp(floor(extract(epoch from calls.created_at) / 900) * 900)`;
const KEY = sql`calls.org_id, ${QUARTER}, coalesce(calls.agent_id, ''), calls.channel`;
/** Of calls before the tallies: as much as the other counts had of theirs. */
const COUNTED = sql`calls.ended_at is not null and calls.created_at > now() - interval '32 days'`;
const INTO = sql`insert into call_tallies (org_id, quarter, agent_id, channel, measure, value, times)`;
/** As the code shortens them. */
const short = (value: string) => sql`left(btrim(${sql.raw(value)}), 100)`;
const ANALYSIS = sql`call_analyses.analysis`;

function fromAnalyses(measure: string, value: ReturnType<typeof short>, each = sql``) {
  return sql`${INTO}
    select ${KEY}, ${sql.lit(measure)}, ${value}, count(distinct calls.session_id)::int
    from calls join call_analyses on call_analyses.session_id = calls.session_id ${each}
    where ${COUNTED} and ${ANALYSIS} is not null and coalesce(${value}, '') <> '' group by 1, 2, 3, 4, 5, 6`;
}

/** How calls ended, went and were judged, counted by the quarter of an hour; and response times by channel, too. */
const STATEMENTS = [
  sql`create table call_tallies (
    org_id text not null references organizations (id) on delete cascade,
    quarter timestamptz not null,
    agent_id text not null,
    channel text not null,
    measure text not null,
    value text not null,
    times integer not null,
    primary key (org_id, quarter, agent_id, channel, measure, value)
  )`,
  sql`create index call_tallies_quarter on call_tallies (quarter)`,
  sql`${INTO} select ${KEY}, 'end_reason', ${short("coalesce(calls.end_reason, 'hangup')")}, count(*)::int
    from calls where ${COUNTED} group by 1, 2, 3, 4, 5, 6`,
  sql`${INTO} select ${KEY}, 'interruption', '', count(*)::int
    from calls join call_messages on call_messages.session_id = calls.session_id
    where ${COUNTED} and call_messages.interrupted and call_messages.role = 'assistant' group by 1, 2, 3, 4`,
  sql`${INTO} select ${KEY}, 'tool', ${short("call_tools.name")}, count(*)::int
    from calls join call_tools on call_tools.session_id = calls.session_id
    where ${COUNTED} group by 1, 2, 3, 4, 5, 6`,
  sql`${INTO} select ${KEY}, 'tool_failure', ${short("call_tools.name")}, count(*)::int
    from calls join call_tools on call_tools.session_id = calls.session_id
    where ${COUNTED} and call_tools.status in ('error', 'not_found') group by 1, 2, 3, 4, 5, 6`,
  fromAnalyses("sentiment", short("call_analyses.analysis ->> 'sentiment'")),
  fromAnalyses("disposition", short("call_analyses.analysis ->> 'disposition'")),
  fromAnalyses(
    "topic",
    short("topic.name"),
    sql`cross join lateral jsonb_array_elements_text(call_analyses.analysis -> 'topics') as topic(name)`,
  ),
  fromAnalyses(
    "qa_met",
    short("criterion.entry ->> 'key'"),
    sql`join lateral jsonb_array_elements(call_analyses.analysis -> 'qa') as criterion(entry)
      on (criterion.entry -> 'met') = 'true'::jsonb`,
  ),
  fromAnalyses(
    "qa_missed",
    short("criterion.entry ->> 'key'"),
    sql`join lateral jsonb_array_elements(call_analyses.analysis -> 'qa') as criterion(entry)
      on (criterion.entry -> 'met') = 'false'::jsonb`,
  ),
  // Those from before have no channel: they are in figures of all channels.
  sql`alter table response_counts add column channel text not null default ''`,
  sql`alter table response_counts drop constraint response_counts_pkey`,
  sql`alter table response_counts add primary key (org_id, quarter, agent_id, channel, bucket)`,
];

export const callTallies: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
