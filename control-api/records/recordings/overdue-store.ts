import { type Kysely, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

export interface Retention {
  readonly now: Date;
  /** For organizations without a setting; 0 keeps forever. */
  readonly defaultDays: number;
}

/**
 * Calls whose content has outlived their organization's retention, at most `limit`; none under legal hold. Steps
 * through `calls_org_kept` for organizations that delete at all, so it costs next to nothing if none does.
 */
export async function findOverdueCalls(
  { db }: Database,
  { now, defaultDays, limit, except }: Retention & { limit: number; except: readonly string[] },
): Promise<{ sessionId: string; orgId: string }[]> {
  const { rows } = await sql<{ sessionId: string; orgId: string }>`
    select due.session_id as "sessionId", due.org_id as "orgId" from organizations o
    cross join lateral (select coalesce(o.recording_retention_days, ${defaultDays}::int) as days) kept
    cross join lateral (
      select c.session_id, c.org_id from calls c
      where c.org_id = o.id and c.content_deleted_at is null and c.ended_at is not null
        and c.ended_at < ${now}::timestamptz - kept.days * interval '1 day'
        and c.session_id <> all (${except}::text[])
      order by c.ended_at limit ${limit}
    ) due
    where not o.legal_hold and kept.days > 0
    limit ${limit}`.execute(db);
  return rows;
}

/** How long the most overdue call has been due, in ms; 0 if none is. */
export async function readOverdueMs({ db }: Database, { now, defaultDays }: Retention): Promise<number> {
  const { rows } = await sql<{ dueAt: Date | null }>`
    select min(due.at) as "dueAt" from organizations o
    cross join lateral (select coalesce(o.recording_retention_days, ${defaultDays}::int) as days) kept
    cross join lateral (
      select c.ended_at + kept.days * interval '1 day' as at from calls c
      where c.org_id = o.id and c.content_deleted_at is null and c.ended_at is not null
      order by c.ended_at limit 1
    ) due
    where not o.legal_hold and kept.days > 0`.execute(db);
  const dueAt = rows[0]?.dueAt ?? null;
  return dueAt === null ? 0 : Math.max(0, now.getTime() - dueAt.getTime());
}

/**
 * Of these calls, locks those that may be deleted now against late events. Skips calls that another process has locked,
 * and waits for a legal hold being set.
 */
export async function lockOverdueCalls(
  trx: Kysely<Tables>,
  calls: readonly { readonly sessionId: string; readonly orgId: string }[],
): Promise<string[]> {
  const free = await trx
    .selectFrom("organizations")
    .select("id")
    .where("id", "in", [...new Set(calls.map(({ orgId }) => orgId))])
    .where("legal_hold", "=", false)
    .orderBy("id")
    .forShare()
    .execute();
  const isFree = new Set(free.map(({ id }) => id));
  const sessionIds = calls.filter(({ orgId }) => isFree.has(orgId)).map(({ sessionId }) => sessionId);
  if (sessionIds.length === 0) return [];
  const locked = await trx
    .selectFrom("calls")
    .select("session_id as sessionId")
    .where("session_id", "in", sessionIds)
    .where("content_deleted_at", "is", null)
    .orderBy("session_id")
    .forUpdate()
    .skipLocked()
    .execute();
  return locked.map(({ sessionId }) => sessionId);
}
