import type { Flow, FlowEdge, FlowExit } from "../contracts/flows/flow.ts";
import type { FlowNode } from "../contracts/flows/nodes.ts";
import type { Outcome } from "../contracts/flows/outcomes.ts";
import { saysWords } from "./answers/words.ts";
import { holds } from "./conditions.ts";
import type { FlowState, Way } from "./state.ts";

/** Choosing the way out of a node. */

/** The next node, or the edges from which a model must choose first. */
export type Onward =
  | { readonly kind: "to"; readonly node: string }
  | { readonly kind: "judge"; readonly edges: readonly FlowEdge[] }
  | { readonly kind: "none" };

function edgesOf(flow: Flow, { node, variables }: Pick<FlowState, "node" | "variables">, outcome: Outcome) {
  return flow.edges.filter(
    ({ from, on, when }) => from === node && on === outcome && (!when || holds(when, variables)),
  );
}

/** The first open edge in order; the judged edges before it are put to the model together. */
export function onward(flow: Flow, state: FlowState, outcome: Outcome): Onward {
  const open = edgesOf(flow, state, outcome);
  const sure = open.findIndex(({ judge }) => judge === undefined);
  const judged = open.slice(0, sure === -1 ? undefined : sure);
  if (judged.length > 0) return { kind: "judge", edges: judged };
  const [first] = open;
  return first ? { kind: "to", node: first.to } : { kind: "none" };
}

/** The next node once the model has rejected all judged edges. */
export function onwardUnjudged(flow: Flow, state: FlowState, outcome: Outcome): string | undefined {
  return edgesOf(flow, state, outcome).find(({ judge }) => judge === undefined)?.to;
}

/** The exit whose words the caller used, except one that leads to this node. */
export function exitSaid(flow: Flow, text: string, node: string): FlowExit | undefined {
  return flow.exits.find(({ phrases, to }) => to !== node && phrases.some((words) => saysWords(text, words)));
}

/** The exits that only a model can recognize, except those that lead to this node. */
export function judgedExits(flow: Flow, node: string): readonly FlowExit[] {
  return flow.exits.filter(({ judge, to }) => judge !== undefined && to !== node);
}

/** What a talking model may choose from: the edges of its node, then the exits. */
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
