import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import type { Receiver } from "./in-flight.ts";

/** Destination of deliveries. An endpoint is immutable, so one read serves all its claimed deliveries. */
export interface Addressee extends Receiver {
  readonly url: string;
  readonly secretSealed: string;
}

/** An endpoint with unfinished deliveries, and whether one can be claimed now. */
export interface OwedEndpoint extends Addressee {
  readonly isDue: boolean;
}

/**
 * Endpoints with unfinished deliveries, by id, starting after `after`. Steps through the index from endpoint to
 * endpoint, however long their queues. Disabled endpoints keep their deliveries
 * (docs/webhooks.md#when-something-went-wrong).
 */
export async function findOwed(
  { db }: Database,
  { after, limit, at }: { after: string; limit: number; at: Date },
): Promise<OwedEndpoint[]> {
  const { rows } = await sql<Omit<OwedEndpoint, "host">>`
    -- prepared: webhooks-find-owed
    with recursive owed as (
      (select endpoint_id from webhook_deliveries where status in ('pending', 'failed') and endpoint_id > ${after}
        order by endpoint_id limit 1)
      union all
      select (select d.endpoint_id from webhook_deliveries d
        where d.status in ('pending', 'failed') and d.endpoint_id > owed.endpoint_id
        order by d.endpoint_id limit 1)
      from owed where owed.endpoint_id is not null
    )
    select e.id as "endpointId", e.org_id as "orgId", e.url, e.secret_sealed as "secretSealed", e.enabled and e.listening_until is null and exists (
      select from webhook_deliveries d
      where d.endpoint_id = e.id and d.status in ('pending', 'failed') and d.next_attempt_at <= ${at}
        and (d.leased_until is null or d.leased_until <= ${at})
    ) as "isDue"
    from (select endpoint_id from owed where endpoint_id is not null limit ${limit}) page
    join webhook_endpoints e on e.id = page.endpoint_id
    order by e.id`.execute(db);
  return rows.map((row) => ({ ...row, host: new URL(row.url).host }));
}

export interface Claim {
  readonly claimId: string;
  readonly at: Date;
  readonly leasedUntil: Date;
  /** Places per endpoint id. */
  readonly places: Readonly<Record<string, number>>;
  /** Limit on the total size of bodies, in bytes; the first is always taken. */
  readonly maxBytes: number;
}

export interface ClaimedDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly event: string;
  readonly body: string;
  readonly attempts: number;
}

export interface Claimed {
  readonly deliveries: readonly ClaimedDelivery[];
  /** More was due, but its bodies did not fit. */
  readonly isCut: boolean;
}

/**
 * Claims due deliveries that nobody else holds. Updates the rows it just locked by ctid, so that a stale plan cannot
 * choose an index scan for them. The commit does not wait for the disk: a claim lost in a crash of Postgres is made
 * again.
 */
export async function claimDeliveries({ db }: Database, claim: Claim): Promise<Claimed> {
  const { claimId, at, leasedUntil, places, maxBytes } = claim;
  const { rows } = await sql<ClaimedDelivery & { found: number }>`
    -- prepared: webhooks-claim
    with found as (
      select next.tid, sum(next.bytes) over (order by next.next_attempt_at, next.id) as bytes,
        row_number() over (order by next.next_attempt_at, next.id) as nth, count(*) over () as total
      from json_each_text(${JSON.stringify(places)}::json) as wanted (endpoint_id, places)
      join webhook_endpoints e on e.id = wanted.endpoint_id
      cross join lateral (
        select d.ctid as tid, d.id, d.next_attempt_at, octet_length(d.body) as bytes from webhook_deliveries d
        where d.endpoint_id = e.id and d.status in ('pending', 'failed') and d.next_attempt_at <= ${at}
          and (d.leased_until is null or d.leased_until <= ${at})
        order by d.next_attempt_at limit wanted.places::int
        for update skip locked
      ) next
      where e.enabled and e.listening_until is null
    ), quick as materialized (select set_config('synchronous_commit', 'off', true))
    update webhook_deliveries d
    set claim_id = ${claimId}, leased_until = ${leasedUntil}
    from found, quick
    where d.ctid = found.tid and (found.nth = 1 or found.bytes <= ${maxBytes})
    returning d.id, d.endpoint_id as "endpointId", d.event, d.body, d.attempts, found.total::int as found`.execute(
    db,
  );
  return { deliveries: rows, isCut: rows.length < (rows[0]?.found ?? 0) };
}

/** Result of an attempt. */
export interface Result {
  readonly id: string;
  readonly claimId: string;
  readonly status: "delivered" | "failed" | "dead";
  readonly attempts: number;
  readonly at: Date;
  /** Null: no further attempt. */
  readonly nextAttemptAt: Date | null;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/**
 * Records results in one statement, whose commit does not wait for the disk either: a result lost in a crash of
 * Postgres means one duplicate delivery. If a lease expired meanwhile, another process has the delivery, and its result
 * counts.
 */
export async function recordResults(db: Kysely<Tables>, results: readonly Result[]): Promise<void> {
  await sql`
    -- prepared: webhooks-record-results
    ${update(results)}`.execute(db);
}

/** Like `recordResults`, but returns the ids of deliveries that were still ours. */
export async function recordResultsOfOurs(
  trx: Kysely<Tables>,
  results: readonly Result[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    -- prepared: webhooks-record-results-of-ours
    ${update(results)} returning d.id`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

function update(results: readonly Result[]): RawBuilder<unknown> {
  return sql`with quick as materialized (select set_config('synchronous_commit', 'off', true))
    update webhook_deliveries d
    set status = r.status, attempts = r.attempts, last_attempt_at = r.at,
      next_attempt_at = coalesce(r."nextAttemptAt", d.next_attempt_at), leased_until = null, claim_id = null,
      response_status = r."responseStatus", response_body = r."responseBody", error = r.error,
      duration_ms = r."durationMs"
    from quick, json_to_recordset(${JSON.stringify(results)}::json) as r (
      id text, "claimId" text, status text, attempts integer, at timestamptz, "nextAttemptAt" timestamptz,
      "responseStatus" integer, "responseBody" text, error text, "durationMs" integer
    )
    where d.id = r.id and d.claim_id = r."claimId"`;
}

/** Pending deliveries to enabled endpoints, due now or later. */
export interface Backlog {
  readonly deliveries: number;
  /** Age of the most overdue delivery, in ms; 0 if none is due. */
  readonly oldestDueMs: number;
}

export async function readBacklog({ db }: Database, now: Date): Promise<Backlog> {
  const { deliveries, oldest } = await db
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_endpoints as e", "e.id", "d.endpoint_id")
    .select(({ fn }) => [fn.countAll<string>().as("deliveries"), fn.min("d.next_attempt_at").as("oldest")])
    .where("d.status", "in", ["pending", "failed"])
    .where("e.enabled", "=", true)
    .where("e.listening_until", "is", null)
    .executeTakeFirstOrThrow();
  const oldestDueMs = oldest === null ? 0 : Math.max(0, now.getTime() - oldest.getTime());
  return { deliveries: Number(deliveries), oldestDueMs };
}
