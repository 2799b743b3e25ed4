import { z } from "zod";
import { spokenLine } from "../../../agents/agents/spoken-lines.ts";
import type { Database } from "../../../database/open.ts";
import type { MachineRow } from "../../../records/call-rows/leg.ts";
import { callsWithAgents } from "../../../records/calls/store.ts";
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
  /** What to tell a call-screening assistant. */
  readonly screeningLine: string | undefined;
}

/**
 * Policy of the call's agent version. Returns undefined if nobody wants detection; whoever requested it is told the
 * verdict even when nothing is done.
 */
export async function findPolicy(
  { db }: Database,
  { sessionId, machineDetection }: PhoneLeg,
): Promise<AgentPolicy | undefined> {
  const agent = await callsWithAgents(db)
    .select(({ fn }) => [
      fn.coalesce("agent_versions.settings", "agents.settings").as("settings"),
      "calls.variables",
    ])
    .where("calls.session_id", "=", sessionId)
    .executeTakeFirst();
  const { voicemail, screening, ...settings } = settingsSchema.parse(agent?.settings ?? {});
  const variables = agent?.variables ?? {};
  const screeningLine = screening === true ? spokenLine(settings.screeningLine, variables) : undefined;
  const detection = detectionOf(machineDetection, voicemail?.action);
  const answersScreening = screeningLine !== undefined;
  if (machineDetection === null && !answersScreening) return undefined;
  const message = voicemail?.action === "message" ? spokenLine(voicemail.message, variables) : undefined;
  return { detection, message, answersScreening, screeningLine };
}

/** Agents that talk to machines ignore verdicts, unless the call was placed to drop machines. */
function detectionOf(asked: string | null, action: string | undefined): MachinePolicy["detection"] {
  if (asked === "hangup") return "hangup";
  return asked === "true" && action !== "continue" ? "true" : "none";
}

/** Progress of machine detection in a call. */
export interface MachinePosition extends MachineRow {
  readonly state: MachineState;
}

export async function readMachinePosition({ db }: Database, sessionId: string): Promise<MachinePosition> {
  const row = await db
    .selectFrom("calls")
    .select(["machine_state as state", "machine_steps as steps", "answered_by as answeredBy"])
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
  const { state = "unknown", steps = 0, answeredBy = null } = row ?? {};
  return { state: state as MachineState, steps, answeredBy };
}
