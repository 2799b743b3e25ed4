import type { FlowFault } from "./fault.ts";
import type { Flow } from "./flow.ts";
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
  const before = setBefore(flow);
  return flow.nodes.flatMap((node) => {
    const settable = before.get(node.id);
    const missing = [...readBy(flow, node)].filter(
      // Edges are chosen after the node itself has written its variables.
      (name) => !known.has(name) && !settable?.has(name) && !writtenBy(node).includes(name),
    );
    return missing.map((name): FlowFault => {
      const text = `"${nodeName(node)}" uses {${name}}, which nothing before it sets; ask for it, or add it to the agent's variables`;
      return { code: "missing_variable", node: node.id, text };
    });
  });
}

/** Variables that may be set on some path to each node. An exit can be taken from any node. */
function setBefore(flow: Flow): ReadonlyMap<string, ReadonlySet<string>> {
  const before = new Map<string, Set<string>>(flow.nodes.map(({ id }) => [id, new Set()]));
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  const arrows = [
    ...flow.edges.map(({ from, to }) => ({ from, to })),
    ...flow.exits.flatMap(({ to }) => flow.nodes.map(({ id }) => ({ from: id, to }))),
  ];
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const { from, to } of arrows) {
      const node = nodes.get(from);
      const target = before.get(to);
      if (!node || !target) continue;
      for (const name of [...(before.get(from) ?? []), ...writtenBy(node)]) {
        if (target.has(name)) continue;
        target.add(name);
        hasChanged = true;
      }
    }
  }
  return before;
}
