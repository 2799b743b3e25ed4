import type { Delivery } from "@parley/shared/contracts/webhooks.ts";
import { type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import type { ErasedCalls } from "../modules/module.ts";

/** Limit of a page; the endpoint's own list is complete. */
const MAX_OF_SESSION = 500;
const SLICE = 5_000;
/** Omits the body, which may be megabytes. */
const LISTED = [
  "id",
  "event",
  "session_id",
  "replay_of",
  "status",
  "attempts",
  "created_at",
  "last_attempt_at",
  "next_attempt_at",
  "response_status",
  "response_body",
  "error",
  "duration_ms",
] as const;
type Listed = Pick<Selectable<Tables["webhook_deliveries"]>, (typeof LISTED)[number]>;

/** Whom one body goes to, and as which delivery. */
export interface Receiver {
  readonly id: string;
  readonly endpointId: string;
}

/** Deliveries of one body that are due now. */
export interface NewDeliveries {
  readonly org_id: string;
  readonly event: string;
  readonly session_id: string | null;
  /** JSON on one line. */
  readonly body: string;
  readonly origin: "event" | "test";
  readonly at: Date;
  readonly to: readonly Receiver[];
}

/** JSON has no line break but as an escape, so bodies are told apart by it: as a value within JSON each would be escaped again. */
const BETWEEN_BODIES = "\n";

/** What several deliveries have in common goes to the database once, their body above all. */
export async function insertDeliveries(
  trx: Kysely<Tables>,
  deliveries: readonly NewDeliveries[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const placeOf = new Map<string, number>();
  const placed = (endpointId: string): number => {
    const place = placeOf.get(endpointId) ?? placeOf.size + 1;
    placeOf.set(endpointId, place);
    return place;
  };
  const rows = deliveries.map(({ body: _, to, ...common }) => ({
    ...common,
    ids: to.map(({ id }) => id).join(" "),
    // Places in the list of all endpoints, from 1.
    endpoints: to.map(({ endpointId }) => placed(endpointId)).join(" "),
  }));
  const bodies = deliveries.map(({ body }) => body).join(BETWEEN_BODIES);
  const endpointIds = [...placeOf.keys()];
  await sql`
    insert into webhook_deliveries
      (id, endpoint_id, org_id, event, session_id, body, origin, status, created_at, next_attempt_at)
    select own.id, (${endpointIds}::text[])[own.endpoint::int], r.org_id, r.event, r.session_id, r.body, r.origin,
      'pending', r.at, r.at
    from rows from (
      json_to_recordset(${JSON.stringify(rows)}::json) as (
        org_id text, event text, session_id text, origin text, at timestamptz, ids text, endpoints text
      ), unnest(string_to_array(${bodies}, ${BETWEEN_BODIES}))
    ) as r (org_id, event, session_id, origin, at, ids, endpoints, body)
    cross join lateral unnest(string_to_array(r.ids, ' '), string_to_array(r.endpoints, ' ')) as own (id, endpoint)`.execute(
    trx,
  );
}

/** Where a page begins: after the delivery with this creation time and id. */
export interface DeliveryCursor {
  readonly createdAt: Date;
  readonly id: string;
}

export interface DeliveryFilter {
  readonly limit: number;
  readonly before?: DeliveryCursor | undefined;
  /** Restricts the list to one delivery, or to a session's. */
  readonly only?: { readonly id: string } | { readonly sessionId: string } | undefined;
  readonly status?: Delivery["status"] | undefined;
  readonly event?: string | undefined;
}

export async function listDeliveries(
  { db }: Database,
  endpointId: string,
  { limit, before, only, status, event }: DeliveryFilter,
): Promise<Delivery[]> {
  let rows = db.selectFrom("webhook_deliveries").select(LISTED).where("endpoint_id", "=", endpointId);
  if (status !== undefined) rows = rows.where("status", "=", status);
  if (event !== undefined) rows = rows.where("event", "=", event);
  if (only && "id" in only) rows = rows.where("id", "=", only.id);
  if (only && "sessionId" in only) rows = rows.where("session_id", "=", only.sessionId);
  if (before) rows = rows.where(sql<boolean>`(created_at, id) < (${before.createdAt}, ${before.id})`);
  const found = await rows.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
  return found.map(toDelivery);
}

/** Deliveries about a call, in order; omits those to `parley listen` terminals. */
export async function listDeliveriesOfSession(
  { db }: Database,
  orgId: string,
  sessionId: string,
): Promise<(Delivery & { endpointId: string })[]> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .innerJoin("webhook_endpoints", "webhook_endpoints.id", "webhook_deliveries.endpoint_id")
    .select(LISTED.map((column) => `webhook_deliveries.${column}` as const))
    .select("webhook_deliveries.endpoint_id as endpoint_id")
    .where("webhook_deliveries.session_id", "=", sessionId)
    .where("webhook_deliveries.org_id", "=", orgId)
    .where("webhook_endpoints.listening_until", "is", null)
    .orderBy("webhook_deliveries.id")
    .limit(MAX_OF_SESSION)
    .execute();
  return rows.map((row) => ({ ...toDelivery(row), endpointId: row.endpoint_id }));
}

/** One delivery of an endpoint, with its body as sent. */
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

function toDelivery(row: Listed): Delivery {
  return {
    id: row.id,
    event: row.event,
    sessionId: row.session_id,
    replayOf: row.replay_of,
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

/** Rows per endpoint examined for a sample. */
const LOOKED_THROUGH = 2_000;

/** Body of the organization's latest real delivery of an event, among each endpoint's latest ones. */
export async function findLatestBody(
  { db }: Database,
  orgId: string,
  event: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ body: string }>`
    select latest.body from webhook_endpoints e
    cross join lateral (
      select recent.body, recent.created_at, recent.id from (
        select * from webhook_deliveries d where d.endpoint_id = e.id
        order by d.created_at desc, d.id desc limit ${LOOKED_THROUGH}
      ) recent
      where recent.event = ${event} and recent.origin = 'event' and recent.status = 'delivered'
      order by recent.created_at desc, recent.id desc limit 1
    ) latest
    where e.org_id = ${orgId}
    order by latest.created_at desc, latest.id desc limit 1`.execute(db);
  return rows[0]?.body;
}

/** Deletes finished deliveries, except under legal hold (docs/webhooks.md#how-long-deliveries-are-kept). */
export async function deleteOldDeliveries(database: Database, before: Date): Promise<void> {
  const old = sql`select d.ctid from webhook_deliveries d join organizations o on o.id = d.org_id
    where d.status in ('delivered', 'dead') and d.created_at < ${before} and not o.legal_hold
    limit ${SLICE}`;
  await deleteInSlices(database, old);
}

/**
 * Deletes an endpoint's deliveries, unless its organization is under legal hold. A writer of results may hold some and
 * wait for others: bulk deletes skip locked rows, and single deletes wait while holding none.
 */
export async function deleteDeliveriesOf(database: Database, endpointId: string): Promise<void> {
  const all = sql`from webhook_deliveries d join organizations o on o.id = d.org_id
    where d.endpoint_id = ${endpointId} and not o.legal_hold`;
  await deleteInSlices(database, sql`select d.ctid ${all} limit ${SLICE} for update of d skip locked`);
  // By id: one whose result was written while this waited for it has another place.
  while ((await deleteWhere(database, sql`id = (select d.id ${all} limit 1)`)) > 0);
}

/** One statement for millions of rows would hit its time limit on every run. */
async function deleteInSlices(database: Database, slice: RawBuilder<unknown>): Promise<void> {
  while ((await deleteSlice(database, slice)) >= SLICE);
}

/**
 * Finds rows by their place (`ctid`): with statistics from when the table had few rows, `id in (…)` is planned to find the
 * slice anew for each row of the table, which takes minutes once there are some ten thousand.
 */
function deleteSlice(database: Database, slice: RawBuilder<unknown>): Promise<number> {
  return deleteWhere(database, sql`ctid = any(array(${slice}))`);
}

async function deleteWhere({ db }: Database, where: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`delete from webhook_deliveries where ${where}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Deletes deliveries about these calls. */
export async function eraseDeliveries(trx: Kysely<Tables>, { sessionIds }: ErasedCalls): Promise<void> {
  await trx.deleteFrom("webhook_deliveries").where("session_id", "in", sessionIds).execute();
}
