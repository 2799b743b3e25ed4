import type { FlowFault } from "./fault.ts";
import type { Flow } from "./flow.ts";
import { forwards, reached } from "./graph-checks.ts";
import { type FlowNode, nodeName } from "./nodes.ts";

/** Checks of a flow's variables. */

/** Variables that a flow sets by itself. */
const OWN = ["last_said", "summary"];

const PLACEHOLDER = /\{\{?\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}?\}/g;

function placeholdersIn(value: unknown): readonly string[] {
  return [...JSON.stringify(value ?? "").matchAll(PLACEHOLDER)].flatMap(([, name]) => name ?? []);
}

/** Fields in which braces are literal, or which name variables to write. */
const UNFILLED: ReadonlySet<string> = new Set(["id", "name", "position", "save", "answer", "tools"]);

/** Variables that a node reads: in its texts and arguments, and in the conditions of its edges. */
function readBy(flow: Flow, node: FlowNode): ReadonlySet<string> {
  const fields = Object.entries(node).filter(([field]) => !UNFILLED.has(field));
  const tests = flow.edges.filter(({ from }) => from === node.id).flatMap(({ when }) => when?.tests ?? []);
  return new Set([
    ...fields.flatMap(([, value]) => placeholdersIn(value)),
    ...(node.type === "hand_off" ? node.variables : []),
    // Any variable may be tested for existence.
    ...tests.filter(({ is }) => is !== "exists" && is !== "missing").map(({ variable }) => variable),
    ...tests.flatMap(({ value }) => placeholdersIn(value)),
  ]);
}

function writtenBy(node: FlowNode): readonly string[] {
  switch (node.type) {
    case "ask":
    case "collect":
    case "knowledge":
      return [node.save];
    case "wait":
      return node.save === undefined ? [] : [node.save];
    case "model":
    case "tool":
      return node.save.map(({ variable }) => variable);
    case "set":
      return node.values.map(({ variable }) => variable);
    default:
      return [];
  }
}

/** Variables that nothing can have set by the time a node reads them: the caller would hear a gap. */
export function variableFaults(flow: Flow, given: readonly string[]): FlowFault[] {
  const known = new Set([...given, ...OWN]);
  const setBefore = settableBefore(flow);
  return flow.nodes.flatMap((node) => {
    const missing = [...readBy(flow, node)].filter(
      // Edges are chosen after the node itself has written its variables.
      (name) => !known.has(name) && !setBefore(name).has(node.id) && !writtenBy(node).includes(name),
    );
    return missing.map((name): FlowFault => {
      const text = `"${nodeName(node)}" uses {${name}}, which nothing before it sets; ask for it, or add it to the agent's variables`;
      return { code: "missing_variable", node: node.id, text };
    });
  });
}

const NOWHERE: ReadonlySet<string> = new Set();

/** For a variable, the nodes that some way from a node that sets it leads to. An exit can be taken from any node. */
function settableBefore(flow: Flow): (name: string) => ReadonlySet<string> {
  const graph = forwards(flow);
  const exits = flow.exits.map(({ to }) => to);
  const setters = new Map<string, string[]>();
  for (const node of flow.nodes)
    for (const name of writtenBy(node)) setters.set(name, [...(setters.get(name) ?? []), node.id]);
  const known = new Map<string, ReadonlySet<string>>();
  return (name) => {
    const ids = setters.get(name);
    if (!ids) return NOWHERE;
    const before = known.get(name) ?? reached(graph, [...ids.flatMap((id) => graph.get(id) ?? []), ...exits]);
    known.set(name, before);
    return before;
  };
}
