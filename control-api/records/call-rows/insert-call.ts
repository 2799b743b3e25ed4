import type { Insertable } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

/** What is known of a call when it is prepared; times and ends are written by the event projector. */
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
  | "created_at"
>;

/** False when the session, or the carrier's leg, has a call already. */
export async function insertCallRow(db: Database["db"], call: NewCallRow): Promise<boolean> {
  const inserted = await db
    .insertInto("calls")
    .values(call)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Of a session that came to nothing before anything was said: no call took place. */
export async function deleteCallRow(db: Database["db"], sessionId: string): Promise<void> {
  await db.deleteFrom("calls").where("session_id", "=", sessionId).execute();
}
