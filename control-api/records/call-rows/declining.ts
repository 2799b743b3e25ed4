import type { Database } from "../../database/open.ts";

/** Of all who decline a ringing call exactly one gets true. It rings on until its caller is told; nobody answers it meanwhile. */
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

/** Its caller could not be told. */
export async function giveDeclineUp({ db }: Database, sessionId: string): Promise<void> {
  await db.updateTable("calls").set({ declining: false }).where("session_id", "=", sessionId).execute();
}
