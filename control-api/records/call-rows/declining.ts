import type { Database } from "../../database/open.ts";

/** True for exactly one of all who decline. The call rings until its caller is told; nobody can answer it meanwhile. */
export async function beginDecline({ db }: Database, sessionId: string): Promise<boolean> {
  const begun = await db
    .updateTable("calls")
    .set({ declining: true })
    .where("session_id", "=", sessionId)
    .where("status", "=", "ringing")
    .where("declining", "=", false)
    .where("ended_at", "is", null)
    .returning("session_id")
    .executeTakeFirst();
  return begun !== undefined;
}

/** Reverts the decline if the caller could not be told. */
export async function giveDeclineUp({ db }: Database, sessionId: string): Promise<void> {
  await db.updateTable("calls").set({ declining: false }).where("session_id", "=", sessionId).execute();
}
