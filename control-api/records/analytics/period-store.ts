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

/**
 * Calls of a period by step, by agent and by channel, in one reading of the counts: summed up together first, for the rows of each
 * quarter of an hour are many times those of each step.
 */
export async function readPeriod(db: Kysely<Tables>, orgId: string, period: Period): Promise<PeriodRow[]> {
  const { rows } = await sql<Timed<PeriodRow>>`
    with counted as materialized (
      select ${stepOf(period)} as at, agent_id, channel, sum(ended) as ended, sum(answered) as answered,
        sum(failed) as failed, sum(talk_secs) as talk_secs
      from call_counts where ${within(orgId, period)} group by 1, 2, 3
    )
    select at, agent_id as "agentId", channel, sum(ended)::int as calls, sum(answered)::int as answered,
      sum(failed)::int as failed, sum(talk_secs)::float8 as "talkSecs"
    from counted group by grouping sets ((at), (agent_id), (channel))`.execute(db);
  return rows.map(stepped(period));
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
  const { rows } = await sql<Timed<PeriodResponses>>`
    with counted as materialized (
      select ${stepOf(period)} as at, agent_id, channel, bucket, sum(turns) as turns
      from response_counts where ${within(orgId, period)} group by 1, 2, 3, 4
    )
    select at, agent_id as "agentId", channel, bucket, sum(turns)::int as turns
    from counted group by grouping sets ((at, bucket), (agent_id, bucket), (channel, bucket))`.execute(db);
  return rows.map(stepped(period));
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
  return sql`date_bin(make_interval(secs => ${stepSecs}::float8), quarter, ${from}::timestamptz)`;
}

/** A row with the time its step began instead of the step. */
type Timed<R extends { readonly step: number | null }> = Omit<R, "step"> & { readonly at: Date | null };

function stepped({ from, stepSecs }: Period) {
  return <R extends { readonly at: Date | null }>({ at, ...row }: R) => ({
    ...row,
    step: at === null ? null : Math.round((at.getTime() - from.getTime()) / (stepSecs * 1_000)),
  });
}
