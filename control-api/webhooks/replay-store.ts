import { type Kysely, sql } from "kysely";
import type { Tables } from "../database/tables.ts";

type Trx = Kysely<Tables>;

/** Selects an endpoint's deliveries to replay, among finished ones raised by real events. */
export interface Since {
  readonly since: Date;
  /** Only deliveries after this one. */
  readonly after?: string | undefined;
  /** Include delivered ones. */
  readonly all: boolean;
}

/** A delivery that may be replayed. */
export interface Replayable {
  readonly id: string;
  readonly isInFlight: boolean;
  /** The first delivery of the same body. */
  readonly root: string;
}

/** Serializes replays of an endpoint until the transaction ends: two would copy the same deliveries. */
export async function lockForReplay(trx: Trx, endpointId: string): Promise<void> {
  await trx
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("id", "=", endpointId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Ids of deliveries, oldest first. Skips those with a replay in progress and, unless `all` is set, those with a
 * delivered replay.
 */
export async function findReplayable(
  trx: Trx,
  endpointId: string,
  { which: { since, after, all }, limit }: { which: Since; limit: number },
): Promise<string[]> {
  const statuses = all ? (["delivered", "dead"] as const) : (["dead"] as const);
  const superseded = all
    ? sql<boolean>`c.status in ('pending', 'failed')`
    : sql<boolean>`c.status in ('pending', 'failed', 'delivered')`;
  let rows = trx
    .selectFrom("webhook_deliveries as d")
    .select("d.id as id")
    .where("d.endpoint_id", "=", endpointId)
    .where("d.created_at", ">=", since)
    .where("d.origin", "=", "event")
    .where("d.status", "in", statuses)
    .where(
      sql<boolean>`not exists (select from webhook_deliveries c where c.replay_of = d.id and ${superseded})`,
    )
    .orderBy("d.created_at")
    .orderBy("d.id")
    .limit(limit);
  if (after !== undefined) {
    rows = rows.where(
      sql<boolean>`(d.created_at, d.id) > (select created_at, id from webhook_deliveries
        where id = ${after} and endpoint_id = ${endpointId})`,
    );
  }
  return (await rows.execute()).map(({ id }) => id);
}

/** One delivery of an endpoint; undefined if there is none. */
export async function findOneReplayable(
  trx: Trx,
  endpointId: string,
  id: string,
): Promise<Replayable | undefined> {
  const row = await trx
    .selectFrom("webhook_deliveries")
    .select(["id", "status", "replay_of"])
    .where("endpoint_id", "=", endpointId)
    .where("id", "=", id)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      isInFlight: row.status === "pending" || row.status === "failed",
      root: row.replay_of ?? row.id,
    }
  );
}

/** The replay of `root` in progress, if any. */
export async function findReplayInFlight(
  trx: Trx,
  endpointId: string,
  root: string,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom("webhook_deliveries")
    .select("id")
    .where("replay_of", "=", root)
    .where("endpoint_id", "=", endpointId)
    .where("status", "in", ["pending", "failed"])
    .orderBy("id", "desc")
    .executeTakeFirst();
  return row?.id;
}

/** Makes a delivery that waits for its next attempt due at once. */
export async function bringForward(trx: Trx, id: string, at: Date): Promise<void> {
  await trx
    .updateTable("webhook_deliveries")
    .set({ next_attempt_at: at })
    .where("id", "=", id)
    .where("status", "in", ["pending", "failed"])
    .where("next_attempt_at", ">", at)
    .execute();
}

/** Copies deliveries under new ids; bodies are copied within the database. */
export async function copyDeliveries(
  trx: Trx,
  copies: readonly { readonly from: string; readonly to: string }[],
  at: Date,
): Promise<void> {
  if (copies.length === 0) return;
  await sql`
    insert into webhook_deliveries
      (id, endpoint_id, org_id, event, session_id, body, origin, replay_of, status, created_at, next_attempt_at)
    select c."to", d.endpoint_id, d.org_id, d.event, d.session_id, d.body, 'replay', coalesce(d.replay_of, d.id),
      'pending', ${at}, ${at}
    from json_to_recordset(${JSON.stringify(copies)}::json) as c ("from" text, "to" text)
    join webhook_deliveries d on d.id = c."from"`.execute(trx);
}
