import { nextState, type Step, statusOf } from "@parley/shared/contracts/call-status.ts";
import type { Database } from "../../database/open.ts";

/** A transition of a call that is not live yet. */
interface Move {
  readonly from: "queued" | "ringing" | "taken";
  readonly event: Exclude<Step, "goes live"> | "is declined";
}

/**
 * Applies a call event if the call is still in the `from` state: of concurrent callers exactly one gets true. Events
 * without meaning in that state change nothing.
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
