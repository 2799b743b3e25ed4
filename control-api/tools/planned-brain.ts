import type { BrainPlan, BrainSettings } from "@parley/shared/contracts/brain-plan.ts";
import type { ControlApiTool } from "@parley/shared/contracts/tools/control-api-tool.ts";
import {
  type BusToolSettings,
  isBusTool,
  kindCalled,
  type PlannedTool,
} from "@parley/shared/contracts/tools/kinds.ts";
import { executorOf, type ToolExecutors } from "./executor.ts";

/** The agent version whose settings a called tool is looked up in. */
export interface AgentVersion {
  readonly id: string;
  readonly version: number;
  readonly org_id: string;
}

/** The brain in a call's plan. Tools whose target is gone are left out, so the model cannot promise them. */
export async function plannedBrain(
  brain: BrainSettings,
  agent: AgentVersion,
  executors: ToolExecutors,
): Promise<BrainPlan> {
  const planned = (tool: BusToolSettings): Promise<ControlApiTool[]> => plannedTool(tool, agent, executors);
  if (brain.kind !== "model" && brain.kind !== "flow")
    return { ...brain, tools: (await Promise.all(brain.tools.map(planned))).flat() };
  const tools = brain.tools.map((tool): Promise<PlannedTool[]> | PlannedTool[] =>
    isBusTool(tool) ? planned(tool) : [tool],
  );
  return { ...brain, tools: (await Promise.all(tools)).flat() };
}

async function plannedTool(
  tool: BusToolSettings,
  { id: agentId, version: agentVersion, org_id: orgId }: AgentVersion,
  executors: ToolExecutors,
): Promise<ControlApiTool[]> {
  const described = await executorOf(executors, tool)?.describe(tool, orgId);
  if (!described) return [];
  const { name, kind, timeoutMs } = tool;
  const { description, parameters } = described;
  const media = [...kindCalled(kind).media];
  return [
    {
      ...{ kind: "control_api", of: kind, name, description, media, timeoutMs, agentId, agentVersion },
      parameters: { ...parameters },
      ...("everyTurn" in tool ? { everyTurn: tool.everyTurn } : {}),
    },
  ];
}
