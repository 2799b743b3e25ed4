import { SIMULATION } from "@parley/shared/contracts/simulation.ts";
import { TEXT_CHANNELS } from "@parley/shared/contracts/text-channels.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

type Db = Kysely<Tables>;

const TEXT = sql.join(TEXT_CHANNELS);

export interface Span {
  readonly from: Date;
  readonly to: Date;
}

export interface CountRow {
  readonly agentId: string;
  readonly isChat: boolean;
  readonly ended: number;
  readonly answered: number;
  readonly failed: number;
  readonly talkSecs: number;
}

/** Finished calls of a span, by agent. */
export async function readCounts(db: Db, orgId: string, { from, to }: Span): Promise<CountRow[]> {
  const { rows } = await sql<CountRow>`
    select agent_id as "agentId", channel in (${TEXT}) as "isChat", sum(ended)::int as ended,
      sum(answered)::int as answered, sum(failed)::int as failed, sum(talk_secs)::float8 as "talkSecs"
    from call_counts
    where org_id = ${orgId} and quarter >= ${from} and quarter < ${to}
    group by 1, 2`.execute(db);
  return rows;
}

export interface ResponseRow {
  readonly agentId: string;
  readonly bucket: number;
  readonly turns: number;
}

/** Response times of a span, by agent. */
export async function readResponses(db: Db, orgId: string, { from, to }: Span): Promise<ResponseRow[]> {
  const { rows } = await sql<ResponseRow>`
    select agent_id as "agentId", bucket, sum(turns)::int as turns
    from response_counts
    where org_id = ${orgId} and quarter >= ${from} and quarter < ${to}
    group by 1, 2`.execute(db);
  return rows;
}

export interface HourRow {
  /** Hours since the start of the span. */
  readonly hour: number;
  readonly ended: number;
  readonly failed: number;
}

/** Finished calls of a span, without chats, by hour; omits empty hours. */
export async function readHours(db: Db, orgId: string, { from, to }: Span): Promise<HourRow[]> {
  const { rows } = await sql<HourRow>`
    select floor(extract(epoch from (quarter - ${from}::timestamptz)) / 3600)::int as hour,
      sum(ended)::int as ended, sum(failed)::int as failed
    from call_counts
    where org_id = ${orgId} and quarter >= ${from} and quarter < ${to} and channel not in (${TEXT})
    group by 1`.execute(db);
  return rows;
}

export interface OpenRow {
  readonly agentId: string;
  readonly isChat: boolean;
  /** When the call was made. */
  readonly createdAt: Date;
}

/** An overview does not need more. */
const MAX_OPEN = 5_000;

/** Calls and chats in progress, without rehearsals. */
export async function readOpen(db: Db, orgId: string): Promise<OpenRow[]> {
  const { rows } = await sql<OpenRow>`
    select coalesce(agent_id, '') as "agentId", channel in (${TEXT}) as "isChat", created_at as "createdAt"
    from calls where org_id = ${orgId} and ended_at is null and channel <> ${SIMULATION}
    order by id desc limit ${MAX_OPEN}`.execute(db);
  return rows;
}

export async function readAgentNames(
  db: Db,
  orgId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("agents")
    .select(["id", "name"])
    .where("org_id", "=", orgId)
    .where("id", "in", [...ids])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface Setup {
  readonly agents: number;
  readonly numbers: number;
  readonly members: number;
  readonly hasTalked: boolean;
}

export async function readSetup(db: Db, orgId: string): Promise<Setup> {
  const { rows } = await sql<Setup>`
    select
      (select count(*)::int from agents where org_id = ${orgId}) as agents,
      (select count(*)::int from phone_numbers where org_id = ${orgId}) as numbers,
      (select count(*)::int from memberships where org_id = ${orgId}) as members,
      exists (
        select 1 from calls
        where org_id = ${orgId} and agent_id is not null and started_at is not null
          and channel not in (${TEXT}) and channel <> ${SIMULATION}
      ) as "hasTalked"`.execute(db);
  return rows[0] ?? { agents: 0, numbers: 0, members: 0, hasTalked: false };
}
