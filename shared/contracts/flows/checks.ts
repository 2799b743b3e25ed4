import type { FlowFault } from "./fault.ts";
import type { Flow, FlowEdge } from "./flow.ts";
import { loopFaults, reachFaults } from "./graph-checks.ts";
import { type FlowNode, nodeName } from "./nodes.ts";
import { type Outcome, outcomesOf } from "./outcomes.ts";
import { variableFaults } from "./variable-checks.ts";

/** Names that an agent offers to its flow. */
export interface FlowSurroundings {
  readonly tools: readonly { readonly name: string; readonly kind: string }[];
  readonly hasModel: boolean;
  /** Variables that the agent's calls bring along, and those that every call has. */
  readonly variables: readonly string[];
}

/** Everything that makes a flow unusable, so that no caller runs into it; empty when the flow can be used. */
export function flowFaults(flow: Flow, surroundings: FlowSurroundings): readonly FlowFault[] {
  const links = linkFaults(flow);
  // The other checks follow the edges, which must lead somewhere first.
  if (links.length > 0) return links;
  return [
    ...flow.nodes.flatMap((node) => outcomeFaults(flow, node)),
    ...reachFaults(flow),
    ...loopFaults(flow),
    ...flow.nodes.flatMap((node) => nodeFaults(node, surroundings)),
    ...modelFaults(flow, surroundings),
    ...variableFaults(flow, surroundings.variables),
  ];
}

function linkFaults(flow: Flow): FlowFault[] {
  const ids = new Set(flow.nodes.map(({ id }) => id));
  const missing = (link: Omit<FlowFault, "code" | "text">, what: string, id: string): FlowFault[] =>
    ids.has(id)
      ? []
      : [{ code: "unknown_node", ...link, text: `${what} the node "${id}", which the flow does not have` }];
  return [
    ...missing({ node: null, field: "start" }, "the flow starts at", flow.start),
    ...flow.edges.flatMap(({ from, to }, index) => [
      ...missing({ node: null, field: `edges.${index}.from` }, "an edge begins at", from),
      ...missing(
        { node: ids.has(from) ? from : null, field: `edges.${index}.to` },
        `an edge of "${from}" leads to`,
        to,
      ),
    ]),
    ...flow.exits.flatMap(({ name, to }, index) =>
      missing({ node: null, field: `exits.${index}.to` }, `the exit "${name}" leads to`, to),
    ),
  ];
}

const OUTCOME_TEXT = {
  next: "when it is done",
  no_answer: "when there is no answer",
  failed: "when it fails",
  not_found: "when nothing is found",
} as const;

/** Every outcome of a node needs an edge that is taken regardless of the variables and the model. */
function outcomeFaults(flow: Flow, node: FlowNode): FlowFault[] {
  const outcomes = outcomesOf(node);
  const name = nodeName(node);
  const own = flow.edges.filter(({ from }) => from === node.id);
  const wrong = own
    .filter(({ on }) => !outcomes.includes(on))
    .map(
      ({ on }): FlowFault => ({
        code: "bad_node",
        node: node.id,
        text: `"${name}" has an edge for ${on}, and a ${node.type} node is never left so; take the edge away`,
      }),
    );
  const missing = outcomes
    .filter((outcome) => !own.some((edge) => edge.on === outcome && isSure(node, edge)))
    .map(
      (outcome): FlowFault => ({
        code: "no_way_out",
        node: node.id,
        text: `"${name}" leads nowhere ${OUTCOME_TEXT[outcome]}; add an edge for ${outcome} without a condition`,
      }),
    );
  return [...wrong, ...missing, ...outcomes.flatMap((outcome) => hiddenFaults(flow, node, outcome))];
}

/** Judged edges on which a model leaves are sure, too: it talks until it takes one of them. */
function isSure(node: FlowNode, { when, judge, on }: FlowEdge): boolean {
  return when === undefined && (judge === undefined || (node.type === "model" && on === "next"));
}

/** Edges that are never taken, because one before them is always open. A model chooses among all of its edges. */
function hiddenFaults(flow: Flow, node: FlowNode, outcome: Outcome): FlowFault[] {
  if (node.type === "model" && outcome === "next") return [];
  const own = flow.edges.filter(({ from, on }) => from === node.id && on === outcome);
  const sure = own.findIndex((edge) => isSure(node, edge));
  const open = own[sure];
  if (!open) return [];
  const text = `an edge of "${nodeName(node)}" to "${nameOf(flow, open.to)}" is always open, so none of the ${own.length - sure - 1} after it is ever taken; move it behind them, or give it a condition`;
  return sure === own.length - 1 ? [] : [{ code: "bad_node", node: node.id, text }];
}

function nameOf(flow: Flow, id: string): string {
  const node = flow.nodes.find((one) => one.id === id);
  return node ? nodeName(node) : id;
}

function nodeFaults(node: FlowNode, { tools }: FlowSurroundings): FlowFault[] {
  const name = nodeName(node);
  const fault = (code: FlowFault["code"], text: string): FlowFault => ({ code, node: node.id, text });
  const unknown = (tool: string): FlowFault[] =>
    tools.some((one) => one.name === tool)
      ? []
      : [
          fault(
            "unknown_tool",
            `"${name}" uses the tool "${tool}", which the agent does not have; add it to the agent`,
          ),
        ];
  switch (node.type) {
    case "tool": {
      const isLine = tools.some((one) => one.name === node.tool && LINE_KINDS.has(one.kind));
      const text = `"${name}" runs "${node.tool}"; use a node that ends, transfers or plays keys instead`;
      return isLine ? [fault("bad_node", text)] : unknown(node.tool);
    }
    case "model":
      return node.tools.flatMap(unknown);
    case "knowledge": {
      const found = tools.find((one) => one.name === node.tool);
      if (!found || found.kind === "knowledge") return unknown(node.tool);
      return [
        fault(
          "bad_node",
          `"${name}" looks up in "${node.tool}", which is no knowledge tool; choose one that is`,
        ),
      ];
    }
    case "collect":
      return node.minDigits > node.maxDigits
        ? [
            fault(
              "bad_node",
              `"${name}" wants at least ${node.minDigits} digits and at most ${node.maxDigits}`,
            ),
          ]
        : [];
    case "transfer":
      return (node.mode === "warm") === (node.whisper !== undefined)
        ? []
        : [fault("bad_node", `"${name}" needs a whisper when its mode is warm, and none when it is blind`)];
    default:
      return [];
  }
}

/** Line tools, which only a model calls. */
const LINE_KINDS: ReadonlySet<string> = new Set(["end_call", "play_keys", "transfer", "hand_off"]);

function modelFaults(flow: Flow, { hasModel }: FlowSurroundings): FlowFault[] {
  if (hasModel) return [];
  const talks = flow.nodes.filter(({ type }) => type === "model").map(({ id }) => id);
  const judges = flow.edges.filter(({ judge }) => judge !== undefined).map(({ from }) => from);
  const fault = (node: string | null, what: string): FlowFault => ({
    code: "no_model",
    node,
    text: `${what} needs a model; give the brain one in brain.model`,
  });
  const named = (id: string): string => `"${nameOf(flow, id)}"`;
  return [
    ...[...new Set([...talks, ...judges])].map((id) => fault(id, named(id))),
    ...flow.exits
      .filter(({ judge }) => judge !== undefined)
      .map(({ name }) => fault(null, `the exit "${name}"`)),
  ];
}
