import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { asTable, type Range } from "./sources.ts";
import type { Measure } from "./sums.ts";

type Db = Kysely<Tables>;

/** Restricts which calls are counted; `undefined`: all of them. */
export interface Filter {
  readonly agentId?: string | undefined;
  readonly channel?: string | undefined;
}

export interface Period extends Filter {
  readonly from: Date;
  readonly to: Date;
  readonly stepSecs: number;
}

/** Finished calls. */
export interface Counted {
  readonly calls: number;
  readonly answered: number;
  readonly failed: number;
  readonly talkSecs: number;
}

/** Turns by response time, as two comma-separated lists: buckets, and the number of turns in each. */
export interface Turns {
  readonly buckets: string;
  readonly turns: string;
}

const COUNTED = sql`sum(ended)::int as calls, sum(answered)::int as answered, sum(failed)::int as failed,
  sum(talk_secs)::float8 as "talkSecs"`;

/** Identifies one step, agent and channel. */
interface Cell {
  readonly at: Date;
  readonly agentId: string;
  readonly channel: string;
}

/** Calls of days not rolled up, by step, agent and channel. */
export async function readOpenCounts(
  db: Db,
  orgId: string,
  { period, ranges }: { readonly period: Period; readonly ranges: readonly Range[] },
): Promise<(Cell & Counted)[]> {
  if (ranges.length === 0) return [];
  const { rows } = await sql<Cell & Counted>`
    select ${stepOf(period)} as at, agent_id as "agentId", channel, ${COUNTED}
    from ${asTable(ranges)} join call_counts on ${within(orgId, period)} group by 1, 2, 3`.execute(db);
  return rows;
}

/** Response times of days not rolled up, by step, agent and channel. A bucket may be listed more than once. */
export async function readOpenTurns(
  db: Db,
  orgId: string,
  { period, ranges }: { readonly period: Period; readonly ranges: readonly Range[] },
): Promise<(Cell & Turns)[]> {
  if (ranges.length === 0) return [];
  // Summed range by range: for one sum over all of them, the planner expects ten times as many rows, and sorts on disk.
  const { rows } = await sql<Cell & Turns>`
    select at, agent_id as "agentId", channel, string_agg(bucket::text, ',') as buckets, string_agg(turns::text, ',') as turns
    from ${asTable(ranges)} cross join lateral (
      select ${stepOf(period)} as at, agent_id, channel, bucket, sum(turns) as turns
      from response_counts where ${within(orgId, period)} group by 1, 2, 3, 4
    ) counted group by 1, 2, 3`.execute(db);
  return rows;
}

const ROLLED_TURNS = sql`array_to_string(buckets, ',') as buckets, array_to_string(turns, ',') as turns`;

/** Rolled-up ranges: the whole days, and what remains at both ends. */
export interface Rolled {
  readonly days: readonly Range[];
  readonly edges: readonly Range[];
}

/** Rolled-up calls and response times: one for each of the days, and one for each quarter hour of the edges. */
export async function readRolled(
  db: Db,
  orgId: string,
  { filter, rolled }: { readonly filter: Filter; readonly rolled: Rolled },
): Promise<({ readonly at: Date } & Counted & Turns)[]> {
  const { agentId = "*", channel = "*" } = filter;
  const which = sql`agent_id = ${agentId} and channel = ${channel}`;
  const { rows } = await sql<{ readonly at: Date } & Counted & Turns>`
    select at, ended as calls, answered, failed, talk_secs::float8 as "talkSecs", ${ROLLED_TURNS}
    from (${figures(orgId, { rolled, which })}) figures`.execute(db);
  return rows;
}

/** Rolled-up calls by agent. */
export async function readAgents(
  db: Db,
  orgId: string,
  { filter: { agentId, channel = "*" }, rolled }: { readonly filter: Filter; readonly rolled: Rolled },
): Promise<({ readonly agentId: string } & Counted)[]> {
  const ofAgent = agentId === undefined ? sql`agent_id <> '*'` : sql`agent_id = ${agentId}`;
  const { rows } = await sql<{ readonly agentId: string } & Counted>`
    select agent_id as "agentId", ${COUNTED}
    from (${figures(orgId, { rolled, which: sql`${ofAgent} and channel = ${channel}` })}) figures group by 1`.execute(
    db,
  );
  return rows;
}

/** Rolled-up response times of some agents. */
export async function readAgentTurns(
  db: Db,
  orgId: string,
  {
    agentIds,
    channel = "*",
    rolled,
  }: { readonly agentIds: readonly string[]; readonly channel?: string | undefined; readonly rolled: Rolled },
): Promise<({ readonly agentId: string } & Turns)[]> {
  const which = sql`agent_id = any(${agentIds}::text[]) and channel = ${channel}`;
  const { rows } = await sql<{ readonly agentId: string } & Turns>`
    select agent_id as "agentId", ${ROLLED_TURNS}
    from (${figures(orgId, { rolled, which })}) figures where cardinality(buckets) > 0`.execute(db);
  return rows;
}

/** Rolled-up calls and response times by channel. */
export async function readChannels(
  db: Db,
  orgId: string,
  { filter: { agentId = "*", channel }, rolled }: { readonly filter: Filter; readonly rolled: Rolled },
): Promise<({ readonly channel: string } & Counted & Turns)[]> {
  const ofChannel = channel === undefined ? sql`channel not in ('*', '')` : sql`channel = ${channel}`;
  const which = sql`agent_id = ${agentId} and ${ofChannel}`;
  const { rows } = await sql<{ readonly channel: string } & Counted & Turns>`
    select channel, ended as calls, answered, failed, talk_secs::float8 as "talkSecs", ${ROLLED_TURNS}
    from (${figures(orgId, { rolled, which })}) figures`.execute(db);
  return rows;
}

function figures(
  orgId: string,
  { rolled, which }: { readonly rolled: Rolled; readonly which: ReturnType<typeof sql> },
) {
  // Listed one by one, they use the index on time.
  const edges = rolled.edges.map(
    ({ fromMs, toMs }) =>
      sql`(at >= ${new Date(fromMs)}::timestamptz and at < ${new Date(toMs)}::timestamptz)`,
  );
  const isEdge = edges.length === 0 ? sql`false` : sql`(${sql.join(edges, sql` or `)})`;
  return sql`
    select figures.* from ${asTable(rolled.days)} join call_figures figures on at >= range.a and at < range.b
    where org_id = ${orgId} and grain = 'day' and ${which}
    union all
    select figures.* from call_figures figures
    where org_id = ${orgId} and ${isEdge} and grain = 'quarter' and ${which}`;
}

/** How often something was counted in a period. */
export interface TallyRow {
  readonly measure: Measure;
  readonly value: string;
  readonly times: number;
}

/** The counts by word, most frequent first within each measure; at most `most` per measure. */
export async function readTallies(
  db: Db,
  orgId: string,
  {
    filter,
    days,
    quarters,
    most,
  }: {
    readonly filter: Filter;
    /** Whole rolled-up days. */
    readonly days: readonly Range[];
    /** Everything else. */
    readonly quarters: readonly Range[];
    readonly most: number;
  },
): Promise<TallyRow[]> {
  const { agentId = "*", channel = "*" } = filter;
  const { rows } = await sql<TallyRow>`
    select measure, value, times::int from (
      select measure, value, sum(times) as times,
        row_number() over (partition by measure order by sum(times) desc, value) as place
      from (
        select measure, value, times from ${asTable(days)} join word_figures on day >= range.a and day < range.b
        where org_id = ${orgId} and agent_id = ${agentId} and channel = ${channel}
        union all
        select measure, value, sum(times) from ${asTable(quarters)} join call_tallies on ${within(orgId, filter)}
        group by measure, value
      ) counted group by measure, value
    ) placed
    where place <= ${most}
    order by measure, place`.execute(db);
  return rows;
}

function within(orgId: string, { agentId, channel }: Filter) {
  const ofAgent = agentId === undefined ? sql`` : sql`and agent_id = ${agentId}`;
  const ofChannel = channel === undefined ? sql`` : sql`and channel = ${channel}`;
  return sql`org_id = ${orgId} and quarter >= range.a and quarter < range.b ${ofAgent} ${ofChannel}`;
}

function stepOf({ from, stepSecs }: Period) {
  return sql`date_bin(make_interval(secs => ${stepSecs}::float8), quarter, ${from}::timestamptz)`;
}
