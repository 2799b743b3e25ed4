import type { Clock } from "@parley/shared/clock.ts";
import { type Kysely, sql } from "kysely";
import type { Database, Databases } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { every, type JobHandler } from "../../jobs/job-kind.ts";
import { COUNTS_KEPT_MS } from "./counts-reaper.ts";
import { DAY_MS } from "./sums.ts";

type Trx = Kysely<Tables>;

const EVERY_MS = 600_000;
/** Delay between a day's end and its roll-up; later counts are marked (`markLate`). */
const SETTLES_MS = 3_600_000;

export interface RollUpDeps {
  readonly database: Pick<Databases, "unbounded">;
  readonly clock: Clock;
}

/** Rolls up finished days, and redoes those that changed since. */
export function rollsUpDays(deps: RollUpDeps): JobHandler {
  return every(EVERY_MS, "roll_up_days", (signal) => rollUpDays(deps, signal));
}

/**
 * Rolls up missing days, newest first, and days marked as late. Until then a day's raw counts are read, which is slower
 * but gives the same figures.
 */
export async function rollUpDays({ database, clock }: RollUpDeps, signal?: AbortSignal): Promise<void> {
  const nowMs = clock.wallMs();
  // A large day takes longer than a background statement may.
  await database.unbounded(async (unbounded) => {
    for (const { orgId, day } of await findLate(unbounded)) {
      if (signal?.aborted) return;
      await rollUp(unbounded, orgId, day);
    }
    for (const day of await findMissing(unbounded, nowMs)) {
      for (const orgId of await findOrgs(unbounded, day)) {
        if (signal?.aborted) return;
        await rollUp(unbounded, orgId, day);
      }
      await unbounded.db
        .insertInto("rolled_days")
        .values({ day })
        .onConflict((own) => own.doNothing())
        .execute();
    }
  });
}

/** Marks the finished days among these counts as late; runs in every transaction that counts. */
export async function markLate(
  trx: Trx,
  counted: readonly { readonly org_id: string; readonly quarter: string }[],
): Promise<void> {
  const days = new Map(
    counted.map(({ org_id, quarter }) => {
      const day = new Date(Math.floor(Date.parse(quarter) / DAY_MS) * DAY_MS).toISOString();
      return [`${org_id} ${day}`, { org_id, day }];
    }),
  );
  if (days.size === 0) return;
  // One row per change: a roll-up deletes the rows of the changes it has seen, and no transaction waits.
  await sql`insert into late_days (org_id, day)
    select org_id, day from json_to_recordset(${JSON.stringify([...days.values()])}::json) told(org_id text, day timestamptz)
    where day + interval '24 hours' <= now()`.execute(trx);
}

async function findLate({ db }: Database): Promise<{ orgId: string; day: Date }[]> {
  return db
    .selectFrom("late_days")
    .innerJoin("rolled_days", "rolled_days.day", "late_days.day")
    .select(["org_id as orgId", "late_days.day"])
    .distinct()
    .execute();
}

async function findMissing({ db }: Database, nowMs: number): Promise<Date[]> {
  const last = Math.floor((nowMs - SETTLES_MS) / DAY_MS) * DAY_MS - DAY_MS;
  const { rows } = await sql<{ day: Date }>`
    select day from generate_series(${new Date(last)}::timestamptz, ${new Date(nowMs - COUNTS_KEPT_MS)}::timestamptz,
      interval '-24 hours') day
    where not exists (select from rolled_days where rolled_days.day = day.day)`.execute(db);
  return rows.map(({ day }) => day);
}

async function findOrgs({ db }: Database, day: Date): Promise<string[]> {
  const within = sql`quarter >= ${day} and quarter < ${new Date(day.getTime() + DAY_MS)}`;
  const { rows } = await sql<{ orgId: string }>`
    select org_id as "orgId" from call_counts where ${within}
    union select org_id from response_counts where ${within}
    union select org_id from call_tallies where ${within}`.execute(db);
  return rows.map(({ orgId }) => orgId);
}

/** A single snapshot, so that exactly the marks of changes included in the sums are deleted. */
async function rollUp({ db }: Database, orgId: string, day: Date): Promise<void> {
  await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (trx) => {
      const until = new Date(day.getTime() + DAY_MS);
      await trx.deleteFrom("late_days").where("org_id", "=", orgId).where("day", "=", day).execute();
      await trx
        .deleteFrom("call_figures")
        .where("org_id", "=", orgId)
        .where("at", ">=", day)
        .where("at", "<", until)
        .execute();
      await trx.deleteFrom("word_figures").where("org_id", "=", orgId).where("day", "=", day).execute();
      const within = sql`org_id = ${orgId} and quarter >= ${day} and quarter < ${until}`;
      await sumFigures(trx, { orgId, within, grain: "quarter", at: sql`quarter` });
      await sumFigures(trx, { orgId, within, grain: "day", at: sql`${day}::timestamptz` });
      await sql`insert into word_figures (org_id, agent_id, channel, day, measure, value, times)
        select ${orgId}, coalesce(agent_id, '*'), coalesce(channel, '*'), ${day}, measure, value, sum(times)
        from call_tallies where ${within}
        group by measure, value, cube (agent_id, channel)`.execute(trx);
    });
}

interface Summed {
  readonly orgId: string;
  readonly within: ReturnType<typeof sql>;
  readonly grain: "quarter" | "day";
  readonly at: ReturnType<typeof sql>;
}

async function sumFigures(trx: Trx, { orgId, within, grain, at }: Summed): Promise<void> {
  await sql`insert into call_figures
      (org_id, grain, agent_id, channel, at, ended, answered, failed, talk_secs, buckets, turns)
    select ${orgId}, ${grain}, agent_id, channel, at, coalesce(ended, 0), coalesce(answered, 0), coalesce(failed, 0),
      coalesce(talk_secs, 0), coalesce(buckets, '{}'), coalesce(turns, '{}')
    from (
      select coalesce(agent_id, '*') as agent_id, coalesce(channel, '*') as channel, at, sum(ended) as ended,
        sum(answered) as answered, sum(failed) as failed, sum(talk_secs) as talk_secs
      from (select *, ${at} as at from call_counts where ${within}) counted
      group by at, cube (agent_id, channel)
    ) calls
    full join (
      select agent_id, channel, at, array_agg(bucket order by bucket) as buckets, array_agg(turns order by bucket) as turns
      from (
        select coalesce(agent_id, '*') as agent_id, coalesce(channel, '*') as channel, at, bucket, sum(turns)::int as turns
        from (select *, ${at} as at from response_counts where ${within}) counted
        group by at, bucket, cube (agent_id, channel)
      ) summed group by 1, 2, 3
    ) responses using (agent_id, channel, at)`.execute(trx);
}
