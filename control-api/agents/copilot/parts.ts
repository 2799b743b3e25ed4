import type { AgentConfig } from "@parley/shared/contracts/agents.ts";
import type { DraftPart } from "@parley/shared/contracts/copilot.ts";
import type { Flow } from "@parley/shared/contracts/flows/flow.ts";
import { type Drafted, merged, type Reply } from "./reply.ts";

export interface Part {
  readonly part: DraftPart;
  readonly patch: Readonly<Record<string, unknown>>;
}

/** The parts of the agent that a reply changes, without unchanged ones. `model`: for a brain that has none yet. */
export function partsOf(reply: Reply, now: Drafted, model: string | undefined): Part[] {
  const { prompt, flow, firstResponse, variables, fields, scenarios } = reply;
  const parts: Part[] = [];
  const add = (part: DraftPart, patch: Part["patch"]): void => {
    parts.push({ part, patch });
  };
  if (prompt !== undefined) add("prompt", { brain: promptPatch(prompt, now.brain, model) });
  if (flow !== undefined) add("flow", { brain: flowPatch(flow, now.brain, model) });
  if (firstResponse !== undefined) add("opening", { firstResponse });
  if (variables !== undefined && variables.length > 0)
    add("variables", { variables: merged(now.variables, variables, ({ name }) => name) });
  if (fields !== undefined && fields.length > 0) {
    const customFields = merged(now.postCallAnalysis.customFields, fields, ({ key }) => key);
    add("fields", { postCallAnalysis: { enabled: true, customFields } });
  }
  if (scenarios !== undefined && scenarios.length > 0) {
    const all = merged(now.rehearsals.scenarios, scenarios, ({ name }) => name);
    add("scenarios", { rehearsals: { scenarios: all } });
  }
  return parts;
}

type Brain = AgentConfig["brain"];

function promptPatch(prompt: string, brain: Brain, model: string | undefined) {
  return brain.kind === "model" ? { prompt } : { kind: "model", prompt, model };
}

function flowPatch(flow: Flow, brain: Brain, model: string | undefined) {
  const needed = needsModel(flow) && model !== undefined ? { model } : {};
  if (brain.kind !== "flow") return { kind: "flow", flow, ...needed };
  return { flow: placed(flow, brain.flow), ...(brain.model === undefined ? needed : {}) };
}

/** Keeps nodes where people placed them. */
function placed(flow: Flow, before: Flow): Flow {
  const places = new Map(before.nodes.map(({ id, position }) => [id, position]));
  return {
    ...flow,
    nodes: flow.nodes.map((node) => {
      const position = places.get(node.id);
      return position && !node.position ? { ...node, position } : node;
    }),
  };
}

function needsModel({ nodes, edges, exits }: Flow): boolean {
  return (
    nodes.some(({ type }) => type === "model") ||
    [...edges, ...exits].some(({ judge }) => judge !== undefined)
  );
}
