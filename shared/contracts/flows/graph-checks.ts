import type { FlowFault } from "./fault.ts";
import type { Flow } from "./flow.ts";
import { type FlowNode, isFinal, listens, nodeName } from "./nodes.ts";

/** Checks of a flow's graph. */

/** The nodes that each node leads to. */
type Graph = ReadonlyMap<string, readonly string[]>;

export function forwards(flow: Flow): Graph {
  const graph = new Map<string, string[]>(flow.nodes.map(({ id }) => [id, []]));
  for (const { from, to } of flow.edges) graph.get(from)?.push(to);
  return graph;
}

/** Every node reachable from these nodes, including themselves. */
export function reached(graph: Graph, from: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>(from);
  const waiting = [...from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const to of graph.get(id) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      waiting.push(to);
    }
  }
  return seen;
}

/** Nodes that no conversation reaches, and nodes from which none reaches an end. */
export function reachFaults(flow: Flow): FlowFault[] {
  const graph = forwards(flow);
  const live = reached(graph, [flow.start, ...flow.exits.map(({ to }) => to)]);
  const backwards = new Map<string, string[]>(flow.nodes.map(({ id }) => [id, []]));
  for (const { from, to } of flow.edges) backwards.get(to)?.push(from);
  const ending = reached(
    backwards,
    flow.nodes.filter(isFinal).map(({ id }) => id),
  );
  return flow.nodes.flatMap((node): FlowFault[] => {
    const name = nodeName(node);
    if (!live.has(node.id)) {
      const text = `"${name}" is never reached; lead an edge to it, or delete it`;
      return [{ code: "unreachable", node: node.id, text }];
    }
    if (ending.has(node.id)) return [];
    const text = `from "${name}" no conversation comes to an end; lead an edge to a node that ends, transfers or hands off`;
    return [{ code: "no_way_out", node: node.id, text }];
  });
}

/** Cycles in which nothing waits for the caller: such a call would talk, or think, forever. */
export function loopFaults(flow: Flow): FlowFault[] {
  const busy = flow.nodes.filter((node) => !listens(node) || (node.type !== "model" && isPassable(node)));
  const ids = new Set(busy.map(({ id }) => id));
  const graph: Graph = new Map(
    busy.map(({ id, ...node }) => [
      id,
      flow.edges
        .filter(
          (edge) => edge.from === id && ids.has(edge.to) && mayBePassed({ id, ...node } as FlowNode, edge.on),
        )
        .map(({ to }) => to),
    ]),
  );
  const told = new Set<string>();
  return busy.flatMap((node): FlowFault[] => {
    const round = roundFrom(graph, node.id);
    if (!round || round.some((id) => told.has(id))) return [];
    for (const id of round) told.add(id);
    const names = [...round, node.id].map(
      (id) => `"${nodeName(flow.nodes.find((one) => one.id === id) as FlowNode)}"`,
    );
    const text = `${names.join(" → ")} goes round without listening to the caller; put a question into it`;
    return [{ code: "endless_loop", node: node.id, text }];
  });
}

/** A question skipped because its answer is known does not listen to the caller. */
function isPassable(node: FlowNode): boolean {
  return (node.type === "ask" || node.type === "collect") && node.skipIfKnown;
}

function mayBePassed(node: FlowNode, on: string): boolean {
  return !listens(node) || on === "next";
}

/** A path from a node back to itself; undefined when there is none. */
function roundFrom(graph: Graph, start: string): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const waiting = [start];
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    for (const to of graph.get(id) ?? []) {
      if (to === start) return pathTo(id, cameFrom);
      if (cameFrom.has(to)) continue;
      cameFrom.set(to, id);
      waiting.push(to);
    }
  }
  return undefined;
}

function pathTo(end: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const path: string[] = [];
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) path.unshift(id);
  return path;
}
