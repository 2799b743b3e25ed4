import type { BrainPlan, BrainSettings } from "@parley/shared/contracts/brain-plan.ts";
import type { ControlApiTool } from "@parley/shared/contracts/tools/control-api-tool.ts";
import {
  type BusToolSettings,
  isBusTool,
  kindCalled,
  type PlannedTool,
} from "@parley/shared/contracts/tools/kinds.ts";
import { executorOf, type ToolExecutors } from "./executor.ts";

/** Whose settings a tool is found in when it is called. */
export interface AgentVersion {
  readonly id: string;
  readonly version: number;
}

/** The brain as a call's plan has it. A tool whose connector is gone is left out: the model cannot promise it. */
export function plannedBrain(brain: BrainSettings, agent: AgentVersion, executors: ToolExecutors): BrainPlan {
  const planned = (tool: BusToolSettings): ControlApiTool[] => plannedTool(tool, agent, executors);
  return brain.kind === "model"
    ? {
        ...brain,
        tools: brain.tools.flatMap((tool): PlannedTool[] => (isBusTool(tool) ? planned(tool) : [tool])),
      }
    : { ...brain, tools: brain.tools.flatMap(planned) };
}

function plannedTool(
  tool: BusToolSettings,
  { id: agentId, version: agentVersion }: AgentVersion,
  executors: ToolExecutors,
): ControlApiTool[] {
  const described = executorOf(executors, tool)?.describe(tool);
  if (!described) return [];
  const { name, kind, timeoutMs } = tool;
  const { description, parameters } = described;
  const media = [...kindCalled(kind).media];
  return [
    {
      ...{ kind: "control_api", of: kind, name, description, media, timeoutMs, agentId, agentVersion },
      parameters: { ...parameters },
    },
  ];
}
