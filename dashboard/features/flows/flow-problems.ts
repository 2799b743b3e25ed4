import { BUILT_IN_VARIABLES } from "@parley/shared/contracts/call-variables.ts";
import { type FlowSurroundings, flowFaults } from "@parley/shared/contracts/flows/checks.ts";
import { flowSchema } from "@parley/shared/contracts/flows/flow.ts";
import { flowNodeSchema } from "@parley/shared/contracts/flows/nodes.ts";
import { isObject, type Json } from "@parley/shared/contracts/merge-patch.ts";
import type { Faults } from "../agents/agent-draft.ts";
import { wordsOf } from "../agents/agent-labels.ts";
import { valueAt } from "../agents/json-at.ts";
import { type DraftFlow, type DraftNode, FLOW_PATH, titleOf } from "./flow-draft.ts";

/** A reason why the flow cannot be saved yet. */
export interface FlowProblem {
  /** The node at fault; null means the flow. */
  readonly node: string | null;
  readonly text: string;
}

/**
 * Everything the API would refuse in a flow: missing or invalid fields, and dead ends for callers.
 * @param faults of the agent's settings, by path
 */
export function problemsOf(flow: DraftFlow, draft: Json, faults: Faults): readonly FlowProblem[] {
  return [...fieldProblems(flow, faults), ...graphProblems(flow, draft)];
}

function fieldProblems(flow: DraftFlow, faults: Faults): FlowProblem[] {
  return Object.entries(faults).flatMap(([path, text]) => {
    if (path !== FLOW_PATH && !path.startsWith(`${FLOW_PATH}.`)) return [];
    const [list, place] = path.slice(FLOW_PATH.length + 1).split(".");
    const index = Number(place);
    const about = list === "edges" ? flow.edges[index]?.from : flow.nodes[index]?.id;
    // The checks below cover what the API reports about a node as a whole.
    if (list === "nodes" && path === `${FLOW_PATH}.nodes.${place}`) return [];
    const node = list === "nodes" || list === "edges" ? flow.nodes.find(({ id }) => id === about) : undefined;
    const named = node ? `“${titleOf(node)}”: ` : "";
    return [{ node: node?.id ?? null, text: `${named}${wordsOf(path).label}: ${text}` }];
  });
}

function graphProblems(flow: DraftFlow, draft: Json): FlowProblem[] {
  const checked = flowSchema.safeParse({
    ...flow,
    nodes: flow.nodes.map(checkable),
    // An invalid condition is reported at its field.
    edges: flow.edges.map(({ from, to, on, when, judge }) => ({
      ...{ from, to, on },
      ...(isObject(when) && flowEdgeIsWhole(when) ? { when } : {}),
      ...(typeof judge === "string" && judge.trim() !== "" ? { judge } : {}),
    })),
    exits: flow.exits.map(({ name, to }) => ({ name, to, phrases: ["so it is"] })),
    lines: {},
  });
  if (!checked.success) return [];
  const whole = checked.data;
  return flowFaults(whole, surroundingsOf(draft)).map(({ node, text }) => ({ node, text: sentence(text) }));
}

function flowEdgeIsWhole(when: Json): boolean {
  return flowSchema.shape.edges.safeParse([{ from: "a", to: "b", when }]).success;
}

/** Makes a node checkable: an invalid one is replaced by a valid sample of its type, under the same id. */
function checkable(node: DraftNode): unknown {
  if (flowNodeSchema.safeParse(node).success) return node;
  const { id, name, type, save } = node;
  return { ...SAMPLES[type], ...(typeof save === "string" && save !== "" ? { save } : {}), id, name, type };
}

const SAMPLES: Readonly<Record<string, Json>> = {
  say: { text: "x" },
  ask: { text: "x", save: "last_said", answer: { type: "text" } },
  collect: { text: "x", save: "last_said" },
  model: { prompt: "x" },
  tool: { tool: "x" },
  set: { values: [{ variable: "last_said", value: "" }] },
  knowledge: { tool: "x", save: "last_said" },
  transfer: { to: "+12025550123" },
  hand_off: { agentId: "x" },
};

function surroundingsOf(draft: Json): FlowSurroundings {
  const named = (path: string): Json[] => {
    const list = valueAt(draft, path);
    return Array.isArray(list) ? list.filter(isObject) : [];
  };
  const model = valueAt(draft, "brain.model");
  return {
    tools: named("brain.tools").map(({ name, kind }) => ({ name: String(name), kind: String(kind) })),
    hasModel: typeof model === "string" && model !== "",
    variables: [...BUILT_IN_VARIABLES, ...named("variables").map(({ name }) => String(name))],
  };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
