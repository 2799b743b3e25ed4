import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { Measure } from "./tallies.ts";

export interface Period {
  readonly from: Date;
  readonly to: Date;
  readonly stepSecs: number;
  readonly agentId?: string | undefined;
  readonly channel?: string | undefined;
}

/** Figures of one step, one agent or one channel: the others are null. */
export interface PeriodRow {
  readonly step: number | null;
  readonly agentId: string | null;
  readonly channel: string | null;
  readonly calls: number;
  readonly answered: number;
  readonly failed: number;
  readonly talkSecs: number;
}

/** Calls of a period by step, by agent and by channel, in one reading of the counts. */
export async function readPeriod(db: Kysely<Tables>, orgId: string, period: Period): Promise<PeriodRow[]> {
  const { rows } = await sql<PeriodRow>`
    select step, agent_id as "agentId", channel, sum(ended)::int as calls, sum(answered)::int as answered,
      sum(failed)::int as failed, sum(talk_secs)::float8 as "talkSecs"
    from (
      select ${stepOf(period)} as step, agent_id, channel, ended, answered, failed, talk_secs
      from call_counts
      where ${within(orgId, period)}
    ) counted
    group by grouping sets ((step), (agent_id), (channel))`.execute(db);
  return rows;
}

/** Turns of one step, one agent or one channel, by how long their answers took. */
export interface PeriodResponses {
  readonly step: number | null;
  readonly agentId: string | null;
  readonly channel: string | null;
  readonly bucket: number;
  readonly turns: number;
}

/** The response times of a period by step, by agent and by channel. */
export async function readPeriodResponses(
  db: Kysely<Tables>,
  orgId: string,
  period: Period,
): Promise<PeriodResponses[]> {
  const { rows } = await sql<PeriodResponses>`
    select step, agent_id as "agentId", channel, bucket, sum(turns)::int as turns
    from (
      select ${stepOf(period)} as step, agent_id, channel, bucket, turns
      from response_counts
      where ${within(orgId, period)}
    ) counted
    group by grouping sets ((step, bucket), (agent_id, bucket), (channel, bucket))`.execute(db);
  return rows;
}

function within(orgId: string, { from, to, agentId, channel }: Omit<Period, "stepSecs">) {
  const ofAgent = agentId === undefined ? sql`` : sql`and agent_id = ${agentId}`;
  const ofChannel = channel === undefined ? sql`` : sql`and channel = ${channel}`;
  return sql`org_id = ${orgId} and quarter >= ${from} and quarter < ${to} ${ofAgent} ${ofChannel}`;
}

/** How often something was counted in a period. */
export interface TallyRow {
  readonly measure: Measure;
  readonly value: string;
  readonly times: number;
}

/** What was counted by a word, each measure's most frequent ones first; at most `most` of a measure. */
export async function readTallies(
  db: Kysely<Tables>,
  orgId: string,
  { most, ...period }: Omit<Period, "stepSecs"> & { readonly most: number },
): Promise<TallyRow[]> {
  const { rows } = await sql<TallyRow>`
    select measure, value, times from (
      select measure, value, sum(times)::int as times,
        row_number() over (partition by measure order by sum(times) desc, value) as place
      from call_tallies
      where ${within(orgId, period)}
      group by measure, value
    ) counted
    where place <= ${most}
    order by measure, place`.execute(db);
  return rows;
}

function stepOf({ from, stepSecs }: Period) {
  return sql`floor(extract(epoch from (quarter - ${from}::timestamptz)) / ${stepSecs}::float8)::int`;
}
