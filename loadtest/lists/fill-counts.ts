import type { Tables } from "@parley/control-api/database/tables.ts";
import { type Kysely, sql } from "kysely";
import { LARGE_ORG } from "./fill-calls.ts";

const DAYS = 92;
const DAY_MS = 86_400_000;
const AGENTS = 20;

/**
 * Fills the large organization's counts as if it had held that many calls in the 92 days before `to`: each
 * with twenty turns, a tool, an outcome, a mood, three topics and two criteria.
 */
export async function fillCounts(
  db: Kysely<Tables>,
  { calls, to, say }: { readonly calls: number; readonly to: Date; readonly say: (line: string) => void },
): Promise<void> {
  await sql`insert into organizations (id, name, created_at) values (${LARGE_ORG}, ${LARGE_ORG}, ${to})
    on conflict do nothing`.execute(db);
  const each = Math.ceil(calls / DAYS);
  for (let day = 0; day < DAYS; day++) {
    const from = new Date(to.getTime() - (DAYS - day) * DAY_MS);
    // In one transaction and in key order: a million calls take minutes.
    await db.transaction().execute((trx) => fillDay(trx, { from, first: day * each, calls: each }));
    if (day % 10 === 9) say(`${(day + 1) * each} of ${calls} calls`);
  }
  await sql`analyze call_counts, response_counts, call_tallies`.execute(db);
}

async function fillDay(
  db: Kysely<Tables>,
  { from, first, calls }: { readonly from: Date; readonly first: number; readonly calls: number },
): Promise<void> {
  const held = sql`(select n, 'agt_' || n % ${AGENTS}::int as agent_id,
      case when n % 3 = 0 then 'web_chat' else 'telephony' end as channel,
      ${from}::timestamptz + floor(i * 96.0 / ${calls}::int) * interval '15 minutes' as quarter
    from (select i, i + ${first}::int as n from generate_series(0, ${calls - 1}::int) i) each) held`;
  await sql`insert into call_counts (org_id, quarter, agent_id, channel, ended, answered, failed, talk_secs)
    select ${LARGE_ORG}, quarter, agent_id, channel, count(*), count(*), 0, 65 * count(*) from ${held}
    group by 2, 3, 4 order by 2, 3, 4`.execute(db);
  await sql`insert into response_counts (org_id, quarter, agent_id, channel, bucket, turns)
    select ${LARGE_ORG}, quarter, agent_id, channel, 20 + (n * 7 + m) % 15, count(*)
    from ${held}, generate_series(1, 20) m group by 2, 3, 4, 5 order by 2, 3, 4, 5`.execute(db);
  await sql`insert into call_tallies (org_id, quarter, agent_id, channel, measure, value, times)
    select ${LARGE_ORG}, quarter, agent_id, channel, measure, value, count(*)
    from ${held}, lateral (values
      ('end_reason', 'reason ' || n % 6), ('tool', 'tool ' || n % 12), ('sentiment', 'mood ' || n % 3),
      ('disposition', 'outcome ' || n % 15), ('topic', 'topic ' || n % 300), ('topic', 'topic ' || n % 37),
      ('topic', 'topic ' || n % 11), ('qa_met', 'greeted'), ('qa_missed', 'named the price')) words (measure, value)
    group by 2, 3, 4, 5, 6 order by 2, 3, 4, 5, 6`.execute(db);
}
