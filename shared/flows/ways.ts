import type { Flow, FlowEdge, FlowExit } from "../contracts/flows/flow.ts";
import type { FlowNode, Outcome } from "../contracts/flows/nodes.ts";
import { saysWords } from "./answers/words.ts";
import { holds } from "./conditions.ts";
import type { FlowState, Way } from "./state.ts";

/** Which way a conversation goes from a node. */

/** Where a node is left for, or the edges that a model has to choose from first. */
export type Onward =
  | { readonly kind: "to"; readonly node: string }
  | { readonly kind: "judge"; readonly edges: readonly FlowEdge[] }
  | { readonly kind: "none" };

function edgesOf(flow: Flow, { node, variables }: Pick<FlowState, "node" | "variables">, outcome: Outcome) {
  return flow.edges.filter(
    ({ from, on, when }) => from === node && on === outcome && (!when || holds(when, variables)),
  );
}

/** The first edge in order that is open; those that a model judges are asked about together, before the first one that is not. */
export function onward(flow: Flow, state: FlowState, outcome: Outcome): Onward {
  const open = edgesOf(flow, state, outcome);
  const sure = open.findIndex(({ judge }) => judge === undefined);
  const judged = open.slice(0, sure === -1 ? undefined : sure);
  if (judged.length > 0) return { kind: "judge", edges: judged };
  const [first] = open;
  return first ? { kind: "to", node: first.to } : { kind: "none" };
}

/** The same, once the model has chosen none of them. */
export function onwardUnjudged(flow: Flow, state: FlowState, outcome: Outcome): string | undefined {
  return edgesOf(flow, state, outcome).find(({ judge }) => judge === undefined)?.to;
}

/** The exit whose words the caller used; not the one that led here. */
export function exitSaid(flow: Flow, text: string, node: string): FlowExit | undefined {
  return flow.exits.find(({ phrases, to }) => to !== node && phrases.some((words) => saysWords(text, words)));
}

/** The exits that only a model can tell. */
export function judgedExits(flow: Flow, node: string): readonly FlowExit[] {
  return flow.exits.filter(({ judge, to }) => judge !== undefined && to !== node);
}

/** What a model that talks may choose from: the edges of its node, then the exits. */
export function waysOfModel(flow: Flow, state: FlowState): readonly (Way & { readonly to: string })[] {
  const edges = edgesOf(flow, state, "next");
  return [
    ...edges.map(({ judge = "You are done with what you are asked to do here.", to }) => ({
      description: judge,
      to,
    })),
    ...judgedExits(flow, state.node).map(({ judge = "", to }) => ({ description: judge, to })),
  ];
}

export function nodeOf(flow: Flow, id: string): FlowNode {
  const node = flow.nodes.find((one) => one.id === id);
  if (!node) throw new Error("a flow leads to a node that it does not have");
  return node;
}
