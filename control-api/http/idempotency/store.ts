import type { Database } from "../../database/open.ts";

export interface RequestId {
  readonly principal: string;
  readonly route: string;
  readonly key: string;
}

/** A request and the holder that does its work. */
interface Held extends RequestId {
  readonly holder: string;
}

/** Deletes requests made before that date. */
export async function deleteOldIdempotent({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("idempotent_requests").where("created_at", "<", before).execute();
}

/** Returns true if the holder may do the work. Replaces a holder that died before its intent to spend. */
export async function takeIdempotent(
  { db }: Database,
  request: Held & { bodyHash: string; now: Date; until: Date },
): Promise<boolean> {
  const { principal, route, key, holder, bodyHash: body_hash, now, until: locked_until } = request;
  const taken = await db
    .insertInto("idempotent_requests")
    .values({ principal, route, key, holder, body_hash, locked_until, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(["principal", "route", "key"])
        .doUpdateSet({ holder, body_hash, locked_until })
        .where("idempotent_requests.status", "is", null)
        .where("idempotent_requests.session_id", "is", null)
        .where("idempotent_requests.locked_until", "<", now),
    )
    .returning("key")
    .executeTakeFirst();
  return taken !== undefined;
}

/** Returns false if another holder took over the work. */
export async function keepIntent(database: Database, held: Held, sessionId: string): Promise<boolean> {
  const kept = await heldRow(database, held)
    .set({ session_id: sessionId })
    .returning("key")
    .executeTakeFirst();
  return kept !== undefined;
}

/** Stores the answer of finished work; `sessionId` is the session whose content it contains. */
export async function finishIdempotent(
  database: Database,
  held: Held,
  { response, sessionId }: { response: string; sessionId: string | undefined },
): Promise<void> {
  const content = sessionId === undefined ? {} : { session_id: sessionId };
  await heldRow(database, held)
    .set({ status: 200, response, ...content })
    .execute();
}

export async function forgetIdempotent(
  { db }: Database,
  { principal, route, key, holder }: Held,
): Promise<void> {
  await db
    .deleteFrom("idempotent_requests")
    .where("principal", "=", principal)
    .where("route", "=", route)
    .where("key", "=", key)
    .where("holder", "=", holder)
    .execute();
}

/** Deletes the answers on these routes that belong to these sessions. */
export async function forgetAnswers(
  db: Database["db"],
  { sessionIds, routes }: { sessionIds: readonly string[]; routes: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom("idempotent_requests")
    .where("session_id", "in", sessionIds)
    .where("route", "in", routes)
    .execute();
}

export async function findIdempotent({ db }: Database, { principal, route, key }: RequestId) {
  return db
    .selectFrom("idempotent_requests")
    .select(["body_hash as bodyHash", "response", "session_id as sessionId", "locked_until as lockedUntil"])
    .where("principal", "=", principal)
    .where("route", "=", route)
    .where("key", "=", key)
    .executeTakeFirst();
}

function heldRow({ db }: Database, { principal, route, key, holder }: Held) {
  return db
    .updateTable("idempotent_requests")
    .where("principal", "=", principal)
    .where("route", "=", route)
    .where("key", "=", key)
    .where("holder", "=", holder);
}
