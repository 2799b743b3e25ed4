import type { Delivery } from "@parley/shared/contracts/webhooks.ts";
import type { Database } from "@parley/shared/database/open.ts";
import type { Tables } from "@parley/shared/database/tables.ts";
import type { Insertable, Kysely, Selectable } from "kysely";

/** A page shows that many; the endpoint's own list has all of them. */
const MAX_OF_SESSION = 500;

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
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toDelivery);
}

/** What told of a call, in order; an endpoint that is a terminal's for a while is nobody's business here. */
export async function listDeliveriesOfSession(
  { db }: Database,
  orgId: string,
  sessionId: string,
): Promise<(Delivery & { endpointId: string })[]> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .innerJoin("webhook_endpoints", "webhook_endpoints.id", "webhook_deliveries.endpoint_id")
    .selectAll("webhook_deliveries")
    .where("webhook_deliveries.session_id", "=", sessionId)
    .where("webhook_deliveries.org_id", "=", orgId)
    .where("webhook_endpoints.listening_until", "is", null)
    .orderBy("webhook_deliveries.id")
    .limit(MAX_OF_SESSION)
    .execute();
  return rows.map((row) => ({ ...toDelivery(row), endpointId: row.endpoint_id }));
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
): Promise<{ event: string; sessionId: string | null; body: string }[]> {
  const rows = db
    .selectFrom("webhook_deliveries")
    .select(["event", "session_id as sessionId", "body"])
    .where("endpoint_id", "=", endpointId)
    .orderBy("created_at")
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
