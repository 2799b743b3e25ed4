import { nextState, type Step, statusOf } from "@parley/shared/contracts/call-status.ts";
import type { Database } from "../../database/open.ts";

/** Where a call goes on that has not gone live. */
interface Move {
  readonly from: "queued" | "ringing" | "taken";
  readonly event: Exclude<Step, "goes live"> | "is declined";
}

/**
 * Takes a call a step further in its life, if it still stands there: of all who do so at once exactly one gets true.
 * What means nothing there changes nothing.
 */
export async function moveCall({ db }: Database, sessionId: string, { from, event }: Move): Promise<boolean> {
  const to = nextState(from, event);
  if (to === from) return false;
  const moved = await db
    .updateTable("calls")
    .set({ status: statusOf(to) })
    .where("session_id", "=", sessionId)
    .where("status", "=", statusOf(from))
    .where("started_at", "is", null)
    .where("ended_at", "is", null)
    .$if(event === "is taken", (query) => query.where("declining", "=", false))
    .returning("session_id")
    .executeTakeFirst();
  return moved !== undefined;
}
