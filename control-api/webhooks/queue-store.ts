import type { Database } from "@parley/shared/database/open.ts";
import type { Tables } from "@parley/shared/database/tables.ts";
import { type Kysely, sql } from "kysely";

export interface Claim {
  readonly claimId: string;
  readonly at: Date;
  readonly leasedUntil: Date;
  /** Deliveries in all, and of one endpoint. */
  readonly limit: number;
  readonly perEndpoint: number;
  readonly perOrg: number;
  /** Of bodies, in bytes; the first is taken whatever it has. */
  readonly maxBytes: number;
  /** How many of an endpoint are under way here already. */
  readonly underWay: Readonly<Record<string, number>>;
}

export interface ClaimedDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly orgId: string;
  readonly event: string;
  readonly body: string;
  readonly attempts: number;
  readonly url: string;
  readonly secretSealed: string;
}

/**
 * Takes due deliveries nobody else holds, a few of each endpoint, so that none with a long queue keeps the others
 * waiting. Its commit does not wait for the disk: a claim that a crash of Postgres takes back is made again. `owed` steps through the index from endpoint to endpoint, whatever the length of their queues. Those of disabled endpoints stay where they are (spec 2, "Delivery status").
 */
export async function claimDeliveries({ db }: Database, claim: Claim): Promise<ClaimedDelivery[]> {
  const { claimId, at, leasedUntil, limit, perEndpoint, perOrg, maxBytes, underWay } = claim;
  const busy = JSON.stringify(underWay);
  const { rows } = await sql<ClaimedDelivery>`
    with recursive owed as (
      (select endpoint_id from webhook_deliveries where status in ('pending', 'failed')
        order by endpoint_id limit 1)
      union all
      select (select d.endpoint_id from webhook_deliveries d
        where d.status in ('pending', 'failed') and d.endpoint_id > owed.endpoint_id
        order by d.endpoint_id limit 1)
      from owed where owed.endpoint_id is not null
    ), found as (
      select next.id, next.next_attempt_at, next.bytes, e.org_id,
        row_number() over (partition by e.org_id order by next.next_attempt_at, next.id) as of_org
      from owed join webhook_endpoints e on e.id = owed.endpoint_id
      cross join lateral (
        select d.id, d.next_attempt_at, octet_length(d.body) as bytes from webhook_deliveries d
        where d.endpoint_id = e.id and d.status in ('pending', 'failed') and d.next_attempt_at <= ${at}
          and (d.leased_until is null or d.leased_until <= ${at})
        order by d.next_attempt_at
        limit greatest(0, least(
          ${perEndpoint}::int - coalesce((${busy}::jsonb ->> e.id)::int, 0),
          1 + ${limit}::int / (select count(*) from owed)
        ))
        for update skip locked
      ) next
      where e.enabled and e.listening_until is null
    ), fair as (
      select id, bytes, sum(bytes) over (order by next_attempt_at, id) - bytes as before from found
      where of_org <= ${perOrg}::int - coalesce((${busy}::jsonb ->> org_id)::int, 0)
      order by next_attempt_at, id limit ${limit}
    ), due as (
      select id from fair where before = 0 or before + bytes <= ${maxBytes}
    )
    , quick as materialized (select set_config('synchronous_commit', 'off', true))
    update webhook_deliveries d
    set claim_id = ${claimId}, leased_until = ${leasedUntil}
    from due, webhook_endpoints e, quick
    where d.id = due.id and e.id = d.endpoint_id
    returning d.id, d.endpoint_id as "endpointId", d.org_id as "orgId", d.event, d.body, d.attempts, e.url,
      e.secret_sealed as "secretSealed"`.execute(db);
  return rows;
}

/** What came of an attempt. */
export interface Result {
  readonly id: string;
  readonly claimId: string;
  readonly status: "delivered" | "failed" | "dead";
  readonly attempts: number;
  readonly at: Date;
  /** Null: none. */
  readonly nextAttemptAt: Date | null;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/**
 * Records results in one statement, which does not wait for the disk either: a result that a crash of Postgres takes
 * back is a delivery that is made twice. Gives the ids of those that were still ours: where the lease ran out meanwhile
 * somebody else has the delivery, and his result counts.
 */
export async function recordResults(
  trx: Kysely<Tables>,
  results: readonly Result[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    with quick as materialized (select set_config('synchronous_commit', 'off', true))
    update webhook_deliveries d
    set status = r.status, attempts = r.attempts, last_attempt_at = r.at,
      next_attempt_at = coalesce(r."nextAttemptAt", d.next_attempt_at), leased_until = null, claim_id = null,
      response_status = r."responseStatus", response_body = r."responseBody", error = r.error,
      duration_ms = r."durationMs"
    from quick, json_to_recordset(${JSON.stringify(results)}::json) as r (
      id text, "claimId" text, status text, attempts integer, at timestamptz, "nextAttemptAt" timestamptz,
      "responseStatus" integer, "responseBody" text, error text, "durationMs" integer
    )
    where d.id = r.id and d.claim_id = r."claimId"
    returning d.id`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

/** What is owed to enabled endpoints, now or later. */
export interface Backlog {
  readonly deliveries: number;
  /** How long the one that is due longest has been due, in ms; 0 when none is. */
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
