import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { type DraftNode, titleOf } from "./flow-draft.ts";
import { kindOf, OUTCOME_NAMES, outcomesOfDraft, summaryOf } from "./node-kinds.ts";

export type StepData = {
  readonly node: DraftNode;
  readonly isStart: boolean;
  /** How many problems block saving it. */
  readonly problems: number;
  /** Live calls at the node. */
  readonly live: number;
};
export type StepNode = Node<StepData, "step">;

/** A node on the canvas: edges leave from its outcomes below and enter at the top. */
export const Step = memo(function Step({ data, isConnectable }: NodeProps<StepNode>) {
  const { node, isStart, problems, live } = data;
  const outcomes = outcomesOfDraft(node);
  const state = [problems > 0 ? "is-wrong" : "", live > 0 ? "is-live" : ""].join(" ");
  return (
    <div className={`flow-step ${state}`}>
      <Handle type="target" position={Position.Top} isConnectable={isConnectable} />
      <p className="flow-step-kind">
        {kindOf(node.type).name}
        {isStart && " · start"}
        {problems > 0 && <span className="flow-step-problems">{problems}</span>}
        {live > 0 && <span className="flow-step-live">{live === 1 ? "1 call" : `${live} calls`}</span>}
      </p>
      <p className="flow-step-name">{titleOf(node)}</p>
      <p className="flow-step-words">{summaryOf(node)}</p>
      {outcomes.map((outcome, index) => {
        const left = `${((index + 1) * 100) / (outcomes.length + 1)}%`;
        return (
          <Handle
            key={outcome}
            id={outcome}
            type="source"
            position={Position.Bottom}
            className={outcome === "next" ? "" : "flow-handle-other"}
            style={{ left }}
            data-tip={OUTCOME_NAMES[outcome]}
            isConnectable={isConnectable}
          />
        );
      })}
    </div>
  );
}, isDrawnAlike);

/** Skips redrawing unchanged nodes of a large flow. */
function isDrawnAlike(before: NodeProps<StepNode>, now: NodeProps<StepNode>): boolean {
  const [a, b] = [before.data, now.data];
  return (
    before.isConnectable === now.isConnectable &&
    (a === b ||
      (a.node === b.node && a.isStart === b.isStart && a.problems === b.problems && a.live === b.live))
  );
}

/** A node's description for screen readers. */
export function stepLabel({ node, isStart, problems, live }: StepData): string {
  const parts = [
    `${kindOf(node.type).name}: ${titleOf(node)}`,
    isStart ? "start" : "",
    problems === 0 ? "" : `${problems} to put right`,
    live === 0 ? "" : `${live} in calls`,
  ];
  return parts.filter(Boolean).join(", ");
}
