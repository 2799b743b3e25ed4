import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

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
  const { agentId, channel } = period;
  const { rows } = await sql<PeriodRow>`
    select step, agent_id as "agentId", channel, sum(ended)::int as calls, sum(answered)::int as answered,
      sum(failed)::int as failed, sum(talk_secs)::float8 as "talkSecs"
    from (
      select ${stepOf(period)} as step, agent_id, channel, ended, answered, failed, talk_secs
      from call_counts
      where ${within(orgId, period)}
        and (${agentId ?? null}::text is null or agent_id = ${agentId ?? null})
        and (${channel ?? null}::text is null or channel = ${channel ?? null})
    ) counted
    group by grouping sets ((step), (agent_id), (channel))`.execute(db);
  return rows;
}

/** Turns of one step or one agent, by how long their answers took. */
export interface PeriodResponses {
  readonly step: number | null;
  readonly agentId: string | null;
  readonly bucket: number;
  readonly turns: number;
}

/** The response times of a period by step and by agent. */
export async function readPeriodResponses(
  db: Kysely<Tables>,
  orgId: string,
  period: Period,
): Promise<PeriodResponses[]> {
  const { agentId } = period;
  const { rows } = await sql<PeriodResponses>`
    select step, agent_id as "agentId", bucket, sum(turns)::int as turns
    from (
      select ${stepOf(period)} as step, agent_id, bucket, turns
      from response_counts
      where ${within(orgId, period)} and (${agentId ?? null}::text is null or agent_id = ${agentId ?? null})
    ) counted
    group by grouping sets ((step, bucket), (agent_id, bucket))`.execute(db);
  return rows;
}

function within(orgId: string, { from, to }: Period) {
  return sql`org_id = ${orgId} and quarter >= ${from} and quarter < ${to}`;
}

function stepOf({ from, stepSecs }: Period) {
  return sql`floor(extract(epoch from (quarter - ${from}::timestamptz)) / ${stepSecs}::float8)::int`;
}
