import type { Database } from "@parley/shared/database/open.ts";
import { z } from "zod";
import type { PhoneLeg } from "../leg-store.ts";
import type { MachinePolicy, MachineState } from "./verdict.ts";

const voicemailSchema = z.object({
  voicemail: z
    .object({ action: z.enum(["hangup", "message", "continue"]), message: z.string().optional() })
    .optional(),
});

/** Undefined when nobody wants to know, or the agent talks to machines as to anybody. */
export async function findPolicy(
  { db }: Database,
  { agentId, machineDetection }: PhoneLeg,
): Promise<MachinePolicy | undefined> {
  if (machineDetection !== "true" && machineDetection !== "hangup") return undefined;
  const agent = await db.selectFrom("agents").select("settings").where("id", "=", agentId).executeTakeFirst();
  const { voicemail } = voicemailSchema.parse(agent?.settings ?? {});
  if (voicemail?.action === "continue" && machineDetection === "true") return undefined;
  const message = voicemail?.action === "message" ? voicemail.message : undefined;
  return { detection: machineDetection, message };
}

export async function readMachineState({ db }: Database, sessionId: string): Promise<MachineState> {
  const row = await db
    .selectFrom("calls")
    .select("machine_state as state")
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
  return (row?.state ?? "unknown") as MachineState;
}

/** False when it moved on meanwhile. */
export async function moveMachineState(
  { db }: Database,
  sessionId: string,
  { from, state, answeredBy }: { from: MachineState; state: MachineState; answeredBy?: string | undefined },
): Promise<boolean> {
  const moved = await db
    .updateTable("calls")
    .set({ machine_state: state, ...(answeredBy === undefined ? {} : { answered_by: answeredBy }) })
    .where("session_id", "=", sessionId)
    .where("machine_state", "=", from)
    .returning("id")
    .executeTakeFirst();
  return moved !== undefined;
}
