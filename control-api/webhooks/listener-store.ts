import { type Kysely, sql } from "kysely";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";

/** Size limit of one claim; a single delivery always fits. */
const CLAIM_BYTES = 4 * 1_048_576;

/** Extends a listener; returns its sealed secret. Undefined if there is none, or it has expired and missed events. */
export async function extendListener(
  { db }: Database,
  { id, orgId }: { id: string; orgId: string },
  { at, until }: { at: Date; until: Date },
): Promise<string | undefined> {
  const row = await db
    .updateTable("webhook_endpoints")
    .set({ listening_until: until })
    .where("id", "=", id)
    .where("org_id", "=", orgId)
    .where("listening_until", ">", at)
    .returning("secret_sealed")
    .executeTakeFirst();
  return row?.secret_sealed;
}

/** Returns true if the listener existed; never deletes an ordinary endpoint. */
export async function deleteListener({ db }: Database, orgId: string, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom("webhook_endpoints")
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .where("listening_until", "is not", null)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Deletes expired listeners and their deliveries. */
export async function deleteGoneListeners({ db }: Database, at: Date): Promise<void> {
  await db.deleteFrom("webhook_endpoints").where("listening_until", "<=", at).execute();
}

export interface ListenerClaim {
  readonly claimId: string;
  readonly at: Date;
  readonly leasedUntil: Date;
  readonly limit: number;
}

export interface ListenerDelivery {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  readonly attempts: number;
}

/** Claims a listener's due, unclaimed deliveries, oldest first. */
export async function claimOfListener(
  { db }: Database,
  listenerId: string,
  { claimId, at, leasedUntil, limit }: ListenerClaim,
): Promise<ListenerDelivery[]> {
  const { rows } = await sql<ListenerDelivery & { dueAt: Date }>`
    with due as (
      select id, next_attempt_at, octet_length(body) as bytes from webhook_deliveries
      where endpoint_id = ${listenerId} and ${isDue(at)}
      order by next_attempt_at, id limit ${limit}
      for update skip locked
    ), fitting as (
      select id from (
        select id, bytes, sum(bytes) over (order by next_attempt_at, id) - bytes as before from due
      ) sized where before + bytes <= ${CLAIM_BYTES} or before = 0
    )
    update webhook_deliveries d
    set claim_id = ${claimId}, leased_until = ${leasedUntil}
    from fitting where d.id = fitting.id
    returning d.id, d.event, d.body, d.attempts, d.next_attempt_at as "dueAt"`.execute(db);
  return rows.toSorted(
    (a, b) => a.dueAt.getTime() - b.dueAt.getTime() || Number(a.id > b.id) - Number(a.id < b.id),
  );
}

/** Releases claimed deliveries whose requester has disconnected. */
export async function releaseClaim({ db }: Database, claimId: string, ids: readonly string[]): Promise<void> {
  await db
    .updateTable("webhook_deliveries")
    .set({ claim_id: null, leased_until: null })
    .where("claim_id", "=", claimId)
    .where("id", "in", [...ids])
    .execute();
}

/** The listeners among `ids` with due deliveries. */
export async function findOwed({ db }: Database, ids: readonly string[], at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.id from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as l (id)
    where exists (
      select from webhook_deliveries where endpoint_id = l.id and ${isDue(at)}
    )`.execute(db);
  return rows.map(({ id }) => id);
}

/** Attempts of a delivery so far; undefined if the listener has no such delivery. */
export async function attemptsOf(
  trx: Kysely<Tables>,
  listenerId: string,
  id: string,
): Promise<number | undefined> {
  const row = await trx
    .selectFrom("webhook_deliveries")
    .select("attempts")
    .where("endpoint_id", "=", listenerId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.attempts;
}

function isDue(at: Date) {
  return sql`status in ('pending', 'failed') and next_attempt_at <= ${at}
    and (leased_until is null or leased_until <= ${at})`;
}
