import type { Database } from "@parley/shared/database/open.ts";
import { z } from "zod";
import { callsWithAgents } from "../../calls/store.ts";
import type { PhoneLeg } from "../leg-store.ts";
import type { MachinePolicy, MachineState } from "./verdict.ts";

const settingsSchema = z.object({
  voicemail: z
    .object({ action: z.enum(["hangup", "message", "continue"]), message: z.string().optional() })
    .optional(),
  screening: z.boolean().optional(),
  screeningLine: z.string().optional(),
});

export interface AgentPolicy extends MachinePolicy {
  /** What an assistant that screens calls is told. */
  readonly screeningLine: string | undefined;
}

/** By the version of the agent that the call runs with. Undefined when nobody wants to know; who asked for detection is told what was found, also when nothing is done. */
export async function findPolicy(
  { db }: Database,
  { sessionId, machineDetection }: PhoneLeg,
): Promise<AgentPolicy | undefined> {
  const agent = await callsWithAgents(db)
    .select(({ fn }) => fn.coalesce("agent_versions.settings", "agents.settings").as("settings"))
    .where("calls.session_id", "=", sessionId)
    .executeTakeFirst();
  const { voicemail, screening, ...settings } = settingsSchema.parse(agent?.settings ?? {});
  const screeningLine = screening === true ? settings.screeningLine : undefined;
  const detection = detectionOf(machineDetection, voicemail?.action);
  const answersScreening = screeningLine !== undefined;
  if (machineDetection === null && !answersScreening) return undefined;
  const message = voicemail?.action === "message" ? voicemail.message : undefined;
  return { detection, message, answersScreening, screeningLine };
}

/** Nothing is done about machines by an agent that talks to them, unless the call was placed to drop them. */
function detectionOf(asked: string | null, action: string | undefined): MachinePolicy["detection"] {
  if (asked === "hangup") return "hangup";
  return asked === "true" && action !== "continue" ? "true" : "none";
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
