import type { FlowNodeType } from "@parley/shared/contracts/flows/nodes.ts";
import type { Outcome } from "@parley/shared/contracts/flows/outcomes.ts";
import { isObject, type Json } from "@parley/shared/contracts/merge-patch.ts";
import { valueAt } from "../agents/json-at.ts";

/** A flow being drawn: nodes have ids and types, edges have ends; anything else may be missing or invalid. */

export type DraftNode = Json & { readonly id: string; readonly type: FlowNodeType };

export type DraftEdge = Json & { readonly from: string; readonly to: string; readonly on: Outcome };

export type DraftExit = Json & { readonly name: string; readonly to: string };

export type DraftFlow = Json & {
  readonly start: string;
  readonly nodes: readonly DraftNode[];
  readonly edges: readonly DraftEdge[];
  readonly exits: readonly DraftExit[];
};

export const FLOW_PATH = "brain.flow";

/** The edited agent's flow; undefined when there is none or it cannot be drawn. */
export function flowIn(draft: Json): DraftFlow | undefined {
  const flow = valueAt(draft, FLOW_PATH);
  if (!isObject(flow) || typeof flow.start !== "string") return undefined;
  const { nodes, edges = [], exits = [] } = flow;
  if (!areNamed(nodes, "id", "type") || !areNamed(edges, "from", "to") || !areNamed(exits, "name", "to")) {
    return undefined;
  }
  return {
    ...flow,
    start: flow.start,
    nodes: nodes as readonly DraftNode[],
    edges: edges.map((edge) => (edge.on === undefined ? { ...edge, on: "next" } : edge)) as DraftEdge[],
    exits: exits as readonly DraftExit[],
  };
}

function areNamed(list: unknown, ...fields: readonly string[]): list is readonly Json[] {
  return (
    Array.isArray(list) &&
    list.every((item) => isObject(item) && fields.every((field) => typeof item[field] === "string"))
  );
}

/** A node's display name. */
export function titleOf({ id, name }: DraftNode): string {
  return typeof name === "string" && name !== "" ? name : id;
}
