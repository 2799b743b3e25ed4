import type { FlowNode } from "./nodes.ts";

/** The ways to leave a node; every edge begins at one of them. */
export const OUTCOMES = ["next", "no_answer", "failed", "not_found"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The outcomes of a node's type; each needs an unconditional edge. */
export function outcomesOf(node: FlowNode): readonly Outcome[] {
  switch (node.type) {
    case "say":
    case "condition":
    case "set":
    case "wait":
      return ["next"];
    case "ask":
    case "collect":
      return ["next", "no_answer"];
    case "model":
      return node.maxTurns === undefined ? ["next"] : ["next", "no_answer"];
    case "tool":
      return ["next", "failed"];
    case "knowledge":
      return ["next", "not_found"];
    case "transfer":
    case "hand_off":
      return ["failed"];
    case "end":
      return [];
  }
}
