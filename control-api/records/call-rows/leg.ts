import type { Database } from "../../database/open.ts";

/** Sets the carrier's id of a leg that has none yet: either the carrier's response or its callback may come first. */
export async function adoptCallSid({ db }: Database, sessionId: string, callSid: string): Promise<void> {
  await db
    .updateTable("calls")
    .set({ call_sid: callSid })
    .where("session_id", "=", sessionId)
    .where("call_sid", "is", null)
    .execute();
}

/** Replaces the carrier's id of the leg; the new one controls the leg from now on. */
export async function setCallSid({ db }: Database, sessionId: string, callSid: string): Promise<void> {
  await db.updateTable("calls").set({ call_sid: callSid }).where("session_id", "=", sessionId).execute();
}

/** State of machine detection; the detector defines the states. */
export interface MachineRow {
  readonly state: string;
  /** Counts state changes, and waits begun within a state. */
  readonly steps: number;
  readonly answeredBy: string | null;
}

/** Returns false if the detection moved on meanwhile: the decision no longer applies to its new state. */
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
