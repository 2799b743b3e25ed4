import type { CallEnd } from "@parley/shared/contracts/call-status.ts";
import type { Insertable } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

/** What is known when a call is prepared; the event projector writes times and ends. */
export type NewCallRow = Pick<
  Insertable<Tables["calls"]>,
  | "id"
  | "session_id"
  | "org_id"
  | "agent_id"
  | "agent_version"
  | "user_id"
  | "identifier"
  | "variables"
  | "node_id"
  | "channel"
  | "direction"
  | "from_number"
  | "to_number"
  | "carrier"
  | "call_sid"
  | "machine_detection"
  | "status"
  | "is_visitors"
  | "created_at"
>;

/** Returns false if the session or the carrier's leg already has a call. */
export async function insertCallRow(db: Database["db"], call: NewCallRow): Promise<boolean> {
  const inserted = await db
    .insertInto("calls")
    .values(call)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Inserts a call that nobody made, once it is over: no event reports its start or end. */
export async function insertEndedCall(
  db: Database["db"],
  call: NewCallRow,
  { status, reason, startedAt, endedAt }: CallEnd & { readonly startedAt: Date; readonly endedAt: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await insertCallRow(trx, call);
    await trx
      .updateTable("calls")
      .set({
        status,
        end_reason: reason,
        started_at: startedAt,
        ended_at: endedAt,
        duration_secs: Math.floor((endedAt.getTime() - startedAt.getTime()) / 1_000),
      })
      .where("session_id", "=", call.session_id)
      .execute();
  });
}

/** Deletes the row of a session that failed before anything was said: no call took place. */
export async function deleteCallRow(db: Database["db"], sessionId: string): Promise<void> {
  await db.deleteFrom("calls").where("session_id", "=", sessionId).execute();
}
