import type { Delivery } from "@parley/shared/contracts/webhooks.ts";
import type { Database } from "@parley/shared/database/open.ts";
import type { Tables } from "@parley/shared/database/tables.ts";
import { type Insertable, type Kysely, type Selectable, sql } from "kysely";

export async function insertDeliveries(
  trx: Kysely<Tables>,
  deliveries: readonly Insertable<Tables["webhook_deliveries"]>[],
): Promise<void> {
  if (deliveries.length > 0)
    await trx
      .insertInto("webhook_deliveries")
      .values([...deliveries])
      .execute();
}

export interface Claim {
  readonly claimId: string;
  readonly at: Date;
  readonly leasedUntil: Date;
  /** Deliveries in all, and of one endpoint. */
  readonly limit: number;
  readonly perEndpoint: number;
  /** How many of an endpoint are under way here already. */
  readonly underWay: ReadonlyMap<string, number>;
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
 * waiting. Those of disabled endpoints stay where they are (spec 2, "Delivery status").
 */
export async function claimDeliveries({ db }: Database, claim: Claim): Promise<ClaimedDelivery[]> {
  const { claimId, at, leasedUntil, limit, perEndpoint, underWay } = claim;
  const busy = JSON.stringify(Object.fromEntries(underWay));
  const { rows } = await sql<ClaimedDelivery>`
    with due as (
      select next.id from webhook_endpoints e
      cross join lateral (
        select d.id, d.next_attempt_at from webhook_deliveries d
        where d.endpoint_id = e.id and d.status in ('pending', 'failed') and d.next_attempt_at <= ${at}
          and (d.leased_until is null or d.leased_until <= ${at})
        order by d.next_attempt_at
        limit greatest(0, ${perEndpoint}::int - coalesce((${busy}::jsonb ->> e.id)::int, 0))
        for update skip locked
      ) next
      where e.enabled and e.listening_until is null
      order by next.next_attempt_at limit ${limit}
    )
    update webhook_deliveries d
    set claim_id = ${claimId}, leased_until = ${leasedUntil}
    from due, webhook_endpoints e
    where d.id = due.id and e.id = d.endpoint_id
    returning d.id, d.endpoint_id as "endpointId", d.org_id as "orgId", d.event, d.body, d.attempts, e.url,
      e.secret_sealed as "secretSealed"`.execute(db);
  return rows;
}

export interface Result {
  readonly claimId: string;
  readonly status: "delivered" | "failed" | "dead";
  readonly attempts: number;
  readonly at: Date;
  readonly nextAttemptAt: Date | undefined;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/** False when the lease ran out meanwhile and somebody else has it: then his result counts. */
export async function recordResult(trx: Kysely<Tables>, id: string, result: Result): Promise<boolean> {
  const updated = await trx
    .updateTable("webhook_deliveries")
    .set({
      status: result.status,
      attempts: result.attempts,
      last_attempt_at: result.at,
      ...(result.nextAttemptAt ? { next_attempt_at: result.nextAttemptAt } : {}),
      leased_until: null,
      claim_id: null,
      response_status: result.responseStatus,
      response_body: result.responseBody,
      error: result.error,
      duration_ms: result.durationMs,
    })
    .where("id", "=", id)
    .where("claim_id", "=", result.claimId)
    .returning("id")
    .executeTakeFirst();
  return updated !== undefined;
}

export interface DeliveryFilter {
  readonly limit: number;
  readonly status?: Delivery["status"] | undefined;
  readonly event?: string | undefined;
}

export async function listDeliveries(
  { db }: Database,
  endpointId: string,
  { limit, status, event }: DeliveryFilter,
): Promise<Delivery[]> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("endpoint_id", "=", endpointId)
    .$if(status !== undefined, (query) => query.where("status", "=", status ?? "pending"))
    .$if(event !== undefined, (query) => query.where("event", "=", event ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toDelivery);
}

/** One delivery of an endpoint, with the body as it was sent. */
export async function findDelivery(
  { db }: Database,
  endpointId: string,
  id: string,
): Promise<{ delivery: Delivery; body: string } | undefined> {
  const row = await db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("endpoint_id", "=", endpointId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && { delivery: toDelivery(row), body: row.body };
}

function toDelivery(row: Selectable<Tables["webhook_deliveries"]>): Delivery {
  return {
    id: row.id,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    lastAttemptAt: row.last_attempt_at?.toISOString() ?? null,
    nextAttemptAt:
      row.status === "pending" || row.status === "failed" ? row.next_attempt_at.toISOString() : null,
    responseStatus: row.response_status,
    responseBody: row.response_body,
    error: row.error,
    durationMs: row.duration_ms,
  };
}

/** Events and bodies of one delivery of an endpoint, or of those since a time, oldest first. */
export async function findBodies(
  { db }: Database,
  endpointId: string,
  which: ({ readonly deliveryId: string } | { readonly since: Date }) & { readonly limit: number },
): Promise<{ event: string; body: string }[]> {
  const rows = db
    .selectFrom("webhook_deliveries")
    .select(["event", "body"])
    .where("endpoint_id", "=", endpointId)
    .orderBy("id")
    .limit(which.limit);
  return "deliveryId" in which
    ? rows.where("id", "=", which.deliveryId).execute()
    : rows.where("created_at", ">=", which.since).execute();
}

/** The body of the organization's latest delivery of an event. */
export async function findLatestBody(
  { db }: Database,
  orgId: string,
  event: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("webhook_deliveries")
    .select("body")
    .where("org_id", "=", orgId)
    .where("event", "=", event)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.body;
}

/** Deliveries that are due or will be, of enabled endpoints. */
export async function countBacklog({ db }: Database): Promise<number> {
  const { count } = await db
    .selectFrom("webhook_deliveries")
    .innerJoin("webhook_endpoints", "webhook_endpoints.id", "webhook_deliveries.endpoint_id")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("webhook_deliveries.status", "in", ["pending", "failed"])
    .where("webhook_endpoints.enabled", "=", true)
    .where("webhook_endpoints.listening_until", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Only what is over, and nothing of an organization under legal hold (spec 2, "Limits"). */
export async function deleteOldDeliveries({ db }: Database, before: Date): Promise<void> {
  await db
    .deleteFrom("webhook_deliveries")
    .where("status", "in", ["delivered", "dead"])
    .where("created_at", "<", before)
    .where("org_id", "in", (eb) =>
      eb.selectFrom("organizations").select("id").where("legal_hold", "=", false),
    )
    .execute();
}
