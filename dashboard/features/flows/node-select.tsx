import { useId } from "react";
import { type DraftFlow, titleOf } from "./flow-draft.ts";

interface NodeSelectProps {
  readonly label: string;
  readonly flow: DraftFlow;
  /** Empty: none yet. */
  readonly chosen: string;
  readonly onChoose: (node: string) => void;
}

/** Chooses one of the flow's nodes. */
export function NodeSelect({ label, flow, chosen, onChoose }: NodeSelectProps) {
  const id = useId();
  const isKnown = flow.nodes.some((node) => node.id === chosen);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="pf-select"
        value={isKnown ? chosen : ""}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {!isKnown && (
          <option value="" disabled>
            Choose a node
          </option>
        )}
        {flow.nodes.map((node) => (
          <option key={node.id} value={node.id}>
            {titleOf(node)}
          </option>
        ))}
      </select>
    </div>
  );
}
