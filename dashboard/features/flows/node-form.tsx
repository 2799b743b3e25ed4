import type { Outcome } from "@parley/shared/contracts/flows/outcomes.ts";
import { TextSetting } from "../agents/settings-fields.tsx";
import { useEditor } from "../agents/use-editor.tsx";
import { EdgeFields } from "./edge-fields.tsx";
import { type DraftFlow, FLOW_PATH, titleOf } from "./flow-draft.ts";
import { withEdge } from "./flow-edits.ts";
import { NodeFields } from "./node-fields.tsx";
import { kindOf, OUTCOME_NAMES, outcomesOfDraft } from "./node-kinds.ts";
import { NodeSelect } from "./node-select.tsx";
import type { FlowEditor } from "./use-flow-editor.tsx";

interface NodeFormProps {
  readonly index: number;
  readonly flow: DraftFlow;
  readonly flowEditor: FlowEditor;
  readonly onShow: (node: string) => void;
}

/** Everything about one node: what it does, and where it leads; builds a whole flow without a mouse. */
export function NodeForm({ index, flow, flowEditor, onShow }: NodeFormProps) {
  const node = flow.nodes[index];
  if (!node) return null;
  const path = `${FLOW_PATH}.nodes.${index}`;
  const { name, says } = kindOf(node.type);
  return (
    <section className="stack" aria-label={`Node ${titleOf(node)}`}>
      <div>
        <h2>{name}</h2>
        <p className="pf-muted">{says}</p>
      </div>
      <TextSetting path={`${path}.name`} placeholder={node.id} />
      <NodeFields path={path} node={node} />
      {node.id !== flow.start && <BeginHere id={node.id} />}
      {outcomesOfDraft(node).map((outcome) => (
        <Outcomes key={outcome} {...{ flow, flowEditor, onShow, outcome }} from={node.id} />
      ))}
    </section>
  );
}

function BeginHere({ id }: { readonly id: string }) {
  const { set } = useEditor();
  return (
    <div className="row">
      <button type="button" className="pf-btn" onClick={() => set(`${FLOW_PATH}.start`, id)}>
        Begin the flow here
      </button>
    </div>
  );
}

interface OutcomesProps extends Omit<NodeFormProps, "index"> {
  readonly from: string;
  readonly outcome: Outcome;
}

/** The edges of one outcome in order, plus a form for another. */
function Outcomes({ flow, flowEditor, from, outcome, onShow }: OutcomesProps) {
  const own = flow.edges.flatMap((edge, index) => (edge.from === from && edge.on === outcome ? [index] : []));
  const { change } = flowEditor;
  const swap = (index: number, other: number): void => {
    const edges = flow.edges.map((edge, at) => {
      if (at === index) return flow.edges[other] ?? edge;
      return at === other ? (flow.edges[index] ?? edge) : edge;
    });
    change({ ...flow, edges });
  };
  const remove = (index: number): void =>
    change({ ...flow, edges: flow.edges.filter((_, at) => at !== index) });
  return (
    <section className="stack flow-outcome" aria-label={OUTCOME_NAMES[outcome]}>
      <h3>{OUTCOME_NAMES[outcome]}</h3>
      {own.length > 1 && <p className="pf-muted field-hint">The first whose condition holds is taken.</p>}
      {own.map((index, place) => {
        const to = flow.edges[index]?.to ?? "";
        const before = own[place - 1];
        return (
          <div key={index} className="agent-item">
            <EdgeFields path={`${FLOW_PATH}.edges.${index}`} flow={flow} />
            <div className="row">
              <button type="button" className="pf-btn pf-btn-quiet" onClick={() => onShow(to)}>
                Open<span className="only-heard"> {to}</span>
              </button>
              {before !== undefined && (
                <button type="button" className="pf-btn pf-btn-quiet" onClick={() => swap(index, before)}>
                  Move up
                </button>
              )}
              <button type="button" className="pf-btn pf-btn-quiet" onClick={() => remove(index)}>
                Remove<span className="only-heard"> the edge to {to}</span>
              </button>
            </div>
          </div>
        );
      })}
      <NodeSelect
        label={own.length === 0 ? "Leads to" : "Or leads to"}
        flow={flow}
        chosen=""
        onChoose={(to) => change(withEdge(flow, { from, to, on: outcome }))}
      />
    </section>
  );
}
