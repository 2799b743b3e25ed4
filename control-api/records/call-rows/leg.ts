import type { Database } from "../../database/open.ts";

/** The carrier's name of a leg that has none yet: of its answer and its callbacks either may come first. */
export async function adoptCallSid({ db }: Database, sessionId: string, callSid: string): Promise<void> {
  await db
    .updateTable("calls")
    .set({ call_sid: callSid })
    .where("session_id", "=", sessionId)
    .where("call_sid", "is", null)
    .execute();
}

/** The carrier names the leg again: from here on this is the one to steer by. */
export async function setCallSid({ db }: Database, sessionId: string, callSid: string): Promise<void> {
  await db.updateTable("calls").set({ call_sid: callSid }).where("session_id", "=", sessionId).execute();
}

/** How far the detection of machines has come; its states are the detector's. */
export interface MachineRow {
  readonly state: string;
  /** Counts the changes of state and the waits that were begun in one. */
  readonly steps: number;
  readonly answeredBy: string | null;
}

/** False when it moved on meanwhile: what follows from its new position is another question. */
export async function moveMachineRow(
  { db }: Database,
  sessionId: string,
  { from, to }: { from: MachineRow; to: MachineRow },
): Promise<boolean> {
  const moved = await db
    .updateTable("calls")
    .set({ machine_state: to.state, machine_steps: to.steps, answered_by: to.answeredBy })
    .where("session_id", "=", sessionId)
    .where("machine_state", "=", from.state)
    .where("machine_steps", "=", from.steps)
    .where("answered_by", "is not distinct from", from.answeredBy)
    .returning("id")
    .executeTakeFirst();
  return moved !== undefined;
}
