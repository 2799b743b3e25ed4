import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { type Edge, MarkerType } from "@xyflow/react";
import { type DraftEdge, type DraftFlow, titleOf } from "./flow-draft.ts";
import { placesOf } from "./flow-layout.ts";
import { OUTCOME_NAMES } from "./node-kinds.ts";
import { type StepData, type StepNode, stepLabel } from "./step-node.tsx";

export type StepEdge = Edge<{ readonly edge: DraftEdge }>;

/** Overlays on a flow: problems and live calls, counted by node. */
export interface Marks {
  readonly problems: ReadonlyMap<string, number>;
  readonly live: ReadonlyMap<string, number>;
  /** Edges that live calls took: `from to`. */
  readonly walked: ReadonlySet<string>;
}

export function stepsOf(flow: DraftFlow, { problems, live }: Marks): StepNode[] {
  const places = placesOf(flow);
  return flow.nodes.map((node) => {
    const data: StepData = {
      node,
      isStart: node.id === flow.start,
      problems: problems.get(node.id) ?? 0,
      live: live.get(node.id) ?? 0,
    };
    const position = { ...(places.get(node.id) ?? { x: 0, y: 0 }) };
    return { id: node.id, type: "step", position, data, ariaLabel: stepLabel(data) };
  });
}

export function arrowsOf(flow: DraftFlow, { walked }: Marks): StepEdge[] {
  const names = new Map(flow.nodes.map((node) => [node.id, titleOf(node)]));
  const seen = new Map<string, number>();
  return flow.edges.flatMap((edge) => {
    const { from, to, on } = edge;
    // Edges to missing nodes are reported beside the canvas.
    if (!names.has(from) || !names.has(to)) return [];
    const between = `${from} ${on} ${to}`;
    const count = seen.get(between) ?? 0;
    seen.set(between, count + 1);
    return [
      {
        id: `${between} ${count}`,
        source: from,
        sourceHandle: on,
        target: to,
        data: { edge },
        label: labelOf(edge),
        className: walked.has(`${from} ${to}`) ? "is-walked" : "",
        markerEnd: { type: MarkerType.ArrowClosed },
        ariaLabel: `${OUTCOME_NAMES[on]} from ${names.get(from)} to ${names.get(to)}`,
      },
    ];
  });
}

const SIGNS: Readonly<Record<string, string>> = {
  equals: "=",
  not_equals: "≠",
  greater: ">",
  less: "<",
  at_least: "≥",
  at_most: "≤",
};

/** When an edge is taken, in a few words. */
function labelOf({ on, when, judge }: DraftEdge): string {
  const outcome = on === "next" ? [] : [OUTCOME_NAMES[on]];
  const judged = typeof judge === "string" && judge !== "" ? [`“${judge}”`] : [];
  return [...outcome, ...testsText(when), ...judged].join(" · ");
}

function testsText(when: unknown): string[] {
  if (!isObject(when) || !Array.isArray(when.tests)) return [];
  const tests = when.tests.filter(isObject).map(({ variable, is, value }) => {
    const sign = SIGNS[String(is)] ?? String(is);
    return [variable, sign, value].filter((part) => part !== undefined && part !== "").join(" ");
  });
  return [tests.join(when.match === "any" ? " or " : " and ")];
}
