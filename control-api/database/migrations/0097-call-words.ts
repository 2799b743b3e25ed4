import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const INTO = sql`insert into call_words (org_id, measure, value, created_at, call_id)`;
/** As much as the counts had of calls from before them. */
const COUNTED = sql`calls.ended_at is not null and calls.created_at > now() - interval '32 days'`;
/** As the code shortens them. */
const short = (value: string) => sql`left(btrim(${sql.raw(value)}), 100)`;

function from(measure: string, value: ReturnType<typeof short>, joined: ReturnType<typeof sql>) {
  return sql`${INTO} select distinct calls.org_id, ${sql.lit(measure)}, ${value}, calls.created_at, calls.id
    from calls ${joined} where ${COUNTED} and ${value} is not null`;
}

function fromAnalyses(measure: string, value: string, each = sql``) {
  return from(
    measure,
    sql`nullif(${short(value)}, '')`,
    sql`join call_analyses found on found.session_id = calls.session_id and found.analysis is not null ${each}`,
  );
}

function fromCriteria(measure: string, met: string) {
  const each = sql`join lateral jsonb_array_elements(found.analysis -> 'qa') as criterion(entry)
    on (criterion.entry -> 'met') = ${sql.lit(met)}::jsonb`;
  return fromAnalyses(measure, "criterion.entry ->> 'key'", each);
}

const TOOLS = sql`join call_tools on call_tools.session_id = calls.session_id`;

/** Which calls a word of the figures was counted of. */
const STATEMENTS = [
  sql`create table call_words (
    org_id text not null references organizations (id) on delete cascade,
    measure text not null,
    value text not null,
    created_at timestamptz not null,
    call_id text not null,
    primary key (call_id, measure, value)
  )`,
  from("end_reason", short("coalesce(calls.end_reason, 'hangup')"), sql``),
  from(
    "interruption",
    sql`''`,
    sql`join call_messages said on said.session_id = calls.session_id and said.interrupted and said.role = 'assistant'`,
  ),
  from("tool", short("call_tools.name"), TOOLS),
  from(
    "tool_failure",
    short("call_tools.name"),
    sql`${TOOLS} and call_tools.status in ('error', 'not_found')`,
  ),
  fromAnalyses("sentiment", "found.analysis ->> 'sentiment'"),
  fromAnalyses("disposition", "found.analysis ->> 'disposition'"),
  fromAnalyses(
    "topic",
    "topic.name",
    sql`cross join lateral jsonb_array_elements_text(found.analysis -> 'topics') as topic(name)`,
  ),
  fromCriteria("qa_met", "true"),
  fromCriteria("qa_missed", "false"),
  sql`create index call_words_word on call_words (org_id, measure, value, created_at, call_id)`,
];

export const callWords: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
