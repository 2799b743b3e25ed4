import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import type { Scenario } from "@parley/shared/contracts/rehearsals.ts";
import type { ControlApiTool } from "@parley/shared/contracts/tools/control-api-tool.ts";
import type { GivenTool } from "@parley/shared/contracts/tools/given-tool.ts";
import type { HttpTool } from "@parley/shared/contracts/tools/http.ts";
import { kindCalled } from "@parley/shared/contracts/tools/kinds.ts";
import type { CallableAgent } from "../../agents/agents/agent-for-call.ts";

type Given = Scenario["tools"];

/** The agent, and whom it hands to, with what a scenario says in place of every tool that calls out. */
export function withGivenTools(agent: CallableAgent, given: Given): CallableAgent {
  const { settings, team } = agent;
  return {
    ...agent,
    settings: { ...settings, brain: played(settings.brain, given) },
    team: team.map((member) => ({ ...member, brain: played(member.brain, given) })),
  };
}

function played(brain: BrainPlan, given: Given): BrainPlan {
  if (brain.kind === "model" || brain.kind === "flow") {
    return {
      ...brain,
      tools: brain.tools.map((tool) =>
        tool.kind === "http" || tool.kind === "control_api" ? instead(tool, given) : tool,
      ),
    };
  }
  const tools = brain.tools.map((tool) => (tool.kind === "control_api" ? instead(tool, given) : tool));
  return { ...brain, tools };
}

function instead(tool: HttpTool | ControlApiTool, given: Given): GivenTool {
  const { kind, name, description, parameters } = tool;
  const isHttp = kind === "http";
  return {
    ...{ kind: "given", of: isHttp ? kind : tool.of, name, description, parameters },
    media: isHttp ? [...kindCalled(kind).media] : tool.media,
    ...(!isHttp && tool.everyTurn !== undefined ? { everyTurn: tool.everyTurn } : {}),
    ...outcomeOf(name, given),
  };
}

function outcomeOf(name: string, given: Given): Pick<GivenTool, "status" | "result"> {
  const said = given.find((tool) => tool.name === name);
  if (said) return { status: said.status, result: said.result };
  const message = `The scenario does not define what "${name}" gives.`;
  return { status: "error", result: { error: { code: "not_rehearsed", message } } };
}
