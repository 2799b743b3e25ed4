import { type Insertable, type Kysely, sql } from "kysely";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";

/** The owner of jobs without an organization. */
export const PLATFORM = "platform";

/** A job held by a process until its lease runs out. */
export interface ClaimedJob {
  readonly id: string;
  readonly kind: string;
  readonly owner: string;
  readonly key: string | null;
  readonly payload: unknown;
  readonly attempts: number;
  readonly leaseEpoch: number;
}

/** Returns false if a job with this id exists. */
export async function insertJob(trx: Kysely<Tables>, job: Insertable<Tables["jobs"]>): Promise<boolean> {
  const inserted = await trx
    .insertInto("jobs")
    .values(job)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Ensures one job per recurring kind. Reschedules one due later than its interval allows (a clock was wrong). */
export async function ensurePeriodic(
  { db }: Database,
  kinds: readonly { readonly kind: string; readonly everyMs: number }[],
  now: Date,
): Promise<void> {
  if (kinds.length === 0) return;
  const rows = kinds.map(({ kind, everyMs }) => ({
    id: `job:${kind}`,
    kind,
    owner: PLATFORM,
    key: kind,
    payload: "{}",
    due_at: new Date(now.getTime() + everyMs),
    created_at: now,
  }));
  await db
    .insertInto("jobs")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet(({ ref }) => ({ due_at: ref("excluded.due_at") }))
        .where("jobs.state", "=", "waiting")
        .where(({ eb, ref }) => eb("jobs.due_at", ">", ref("excluded.due_at"))),
    )
    .execute();
}

/** The next due time per kind; running jobs count when their lease runs out. Omits kinds without jobs. */
export async function readDue({ db }: Database, kinds: readonly string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ kind: string; dueAt: Date | null }>`
    select kind, (
      select min(due_at) from jobs j where j.kind = asked.kind and j.state in ('waiting', 'running')
    ) as "dueAt" from unnest(${kinds}::text[]) as asked (kind)`.execute(db);
  return new Map(rows.flatMap(({ kind, dueAt }) => (dueAt === null ? [] : [[kind, dueAt] as const])));
}

export interface Claim {
  readonly kind: string;
  readonly limit: number;
  /** The next turn goes to the owners after this one. */
  readonly after: string;
  readonly now: Date;
  readonly leasedUntil: Date;
}

/**
 * Claims due jobs that no process holds: one per owner, in turn, so that no owner's queue blocks another's. A job whose
 * key is running waits; if two processes claim one key at once, `jobs_one_at_a_time` makes one of them throw.
 */
export async function claimJobs(
  { db }: Database,
  { kind, limit, after, now, leasedUntil }: Claim,
): Promise<ClaimedJob[]> {
  const { rows } = await sql<ClaimedJob>`
    with recursive owners as (
      (select owner from jobs where kind = ${kind} and state in ('waiting', 'running') and owner > ${after}
        order by owner limit 1)
      union all
      select (select j.owner from jobs j
        where j.kind = ${kind} and j.state in ('waiting', 'running') and j.owner > owners.owner
        order by j.owner limit 1)
      from owners where owners.owner is not null
    ), next as (
      select job.id from (select owner from owners where owner is not null) turns
      cross join lateral (
        select d.id from jobs d
        where d.kind = ${kind} and d.owner = turns.owner and d.state in ('waiting', 'running') and d.due_at <= ${now}
          and (d.state = 'running' or d.key is null or not exists (
            select from jobs r where r.kind = d.kind and r.owner = d.owner and r.key = d.key and r.state = 'running'
          ))
        order by d.due_at, d.id limit 1
        for update skip locked
      ) job limit ${limit}
    )
    update jobs set state = 'running', due_at = ${leasedUntil}, attempts = attempts + 1, lease_epoch = lease_epoch + 1
    from next where jobs.id = next.id
    returning jobs.id, jobs.kind, jobs.owner, jobs.key, jobs.payload, jobs.attempts,
      jobs.lease_epoch as "leaseEpoch"`.execute(db);
  return rows;
}

type Lease = Pick<ClaimedJob, "id" | "leaseEpoch">;

/** Returns the ids of the jobs this process still holds, now leased until `leasedUntil`. */
export async function renewLeases(
  { db }: Database,
  leases: readonly Lease[],
  leasedUntil: Date,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update jobs set due_at = ${leasedUntil}
    from json_to_recordset(${JSON.stringify(leases)}::json) as ours (id text, "leaseEpoch" integer)
    where jobs.id = ours.id and jobs.lease_epoch = ours."leaseEpoch" and jobs.state = 'running'
    returning jobs.id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Writes a run's outcome; returns false and writes nothing if another process has the job now. */
export async function writeRun(
  db: Kysely<Tables>,
  { id, leaseEpoch }: Lease,
  change: {
    readonly state?: "waiting" | "done" | "dead";
    readonly due_at?: Date;
    readonly finished_at?: Date | null;
    readonly error?: string | null;
    readonly attempts?: number;
    readonly progress?: string;
  },
): Promise<boolean> {
  const written = await db
    .updateTable("jobs")
    .set(change)
    .where("id", "=", id)
    .where("lease_epoch", "=", leaseEpoch)
    .where("state", "=", "running")
    .returning("id")
    .executeTakeFirst();
  return written !== undefined;
}

export interface Depth {
  readonly kind: string;
  /** Due but not started. */
  readonly due: number;
  readonly dead: number;
  /** How long the most overdue job has waited, in ms; 0 if none is due. */
  readonly oldestDueMs: number;
}

/** Covers kinds with unfinished jobs. */
export async function readDepths({ db }: Database, now: Date): Promise<Depth[]> {
  const { rows } = await sql<{ kind: string; due: number; dead: number; oldest: Date | null }>`
    select kind, count(*) filter (where state = 'waiting' and due_at <= ${now})::int as due,
      count(*) filter (where state = 'dead')::int as dead,
      min(due_at) filter (where state = 'waiting') as oldest
    from jobs where state in ('waiting', 'running', 'dead') group by kind`.execute(db);
  return rows.map(({ kind, due, dead, oldest }) => ({
    kind,
    due,
    dead,
    oldestDueMs: oldest === null ? 0 : Math.max(0, now.getTime() - oldest.getTime()),
  }));
}

/** Deletes jobs that finished before that date; dead ones stay until somebody handles them. */
export async function deleteDone({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("jobs").where("state", "=", "done").where("finished_at", "<", before).execute();
}
