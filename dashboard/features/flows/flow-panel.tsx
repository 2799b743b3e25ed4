import { EdgeFields } from "./edge-fields.tsx";
import type { Chosen } from "./flow-canvas.tsx";
import { type DraftFlow, FLOW_PATH } from "./flow-draft.ts";
import { FlowForm } from "./flow-form.tsx";
import type { FlowProblem } from "./flow-problems.ts";
import { NodeForm } from "./node-form.tsx";
import type { FlowEditor } from "./use-flow-editor.tsx";

interface FlowPanelProps {
  readonly flow: DraftFlow;
  readonly flowEditor: FlowEditor;
  readonly chosen: Chosen;
  /** Undefined until the flow was checked. */
  readonly problems: readonly FlowProblem[] | undefined;
  readonly onShow: (node: string) => void;
}

/** Beside the canvas: problems and the selected part's fields, or the flow's own. */
export function FlowPanel({ flow, flowEditor, chosen, problems, onShow }: FlowPanelProps) {
  return (
    <>
      <Problems problems={problems} onShow={onShow} />
      <fieldset className="agent-sections" disabled={!flowEditor.editor.mayChange}>
        <legend className="only-heard">Fields</legend>
        <ChosenForm flow={flow} flowEditor={flowEditor} chosen={chosen} onShow={onShow} />
      </fieldset>
    </>
  );
}

function ChosenForm({ flow, flowEditor, chosen, onShow }: Omit<FlowPanelProps, "problems">) {
  const [node, ...moreNodes] = chosen.nodes;
  const [edge, ...moreEdges] = chosen.edges;
  const count = chosen.nodes.length + chosen.edges.length;
  const index = flow.nodes.findIndex(({ id }) => id === node);
  if (index >= 0 && moreNodes.length === 0) {
    // The key resets the form's fields for another node.
    return <NodeForm key={node} index={index} flow={flow} flowEditor={flowEditor} onShow={onShow} />;
  }
  const at = edge ? flow.edges.indexOf(edge) : -1;
  if (at >= 0 && moreEdges.length === 0) {
    return (
      <section className="stack" aria-label="Edge">
        <h2>Edge</h2>
        <EdgeFields key={at} path={`${FLOW_PATH}.edges.${at}`} flow={flow} />
      </section>
    );
  }
  if (count > 1) return <p>{count} parts are selected.</p>;
  return <FlowForm flow={flow} />;
}

/** What blocks saving the flow; each problem links to its node. */
function Problems({ problems, onShow }: Pick<FlowPanelProps, "problems" | "onShow">) {
  return (
    <section className="flow-checks" aria-label="Checks">
      <p role="status">
        <strong>{problems ? countText(problems.length) : "Checking…"}</strong>
      </p>
      {problems && problems.length > 0 && (
        <ul>
          {problems.map(({ node, text }) => (
            <li key={`${node} ${text}`}>
              {node === null ? (
                text
              ) : (
                <button type="button" className="flow-problem" onClick={() => onShow(node)}>
                  {text}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function countText(count: number): string {
  if (count === 0) return "No problems found";
  return count === 1
    ? "1 problem to fix before it can be saved"
    : `${count} problems to fix before it can be saved`;
}
