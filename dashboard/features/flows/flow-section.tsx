import { useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import { loadCode } from "../../ui/load-code.ts";
import { useCode } from "../../ui/use-code.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { draftOf } from "../agents/agent-draft.ts";
import { JsonSetting } from "../agents/json-setting.tsx";
import { SectionPart } from "../agents/section-part.tsx";
import { EditorContext } from "../agents/use-editor.tsx";
import { type CanvasView, type Chosen, FlowCanvas, type Wanted } from "./flow-canvas.tsx";
import { type DraftFlow, FLOW_PATH } from "./flow-draft.ts";
import { withEdge, withPlaces } from "./flow-edits.ts";
import { FlowPanel } from "./flow-panel.tsx";
import type { FlowProblem } from "./flow-problems.ts";
import { FlowToolbar } from "./flow-toolbar.tsx";
import { KeptPath } from "./kept-path.tsx";
import { LiveNodes } from "./live-nodes.tsx";
import { type FlowEditor, useFlowEditor } from "./use-flow-editor.tsx";
import { useFlowKeys } from "./use-flow-keys.ts";

const NOTHING: Chosen = { nodes: [], edges: [] };
const NO_VIEW: CanvasView = { middle: () => ({ x: 0, y: 0 }), zoom: () => undefined };
const FIELDS_ID = "flow-fields";

/** The flow builder: canvas, fields of the selection, and problems. */
export function FlowSection({ wanted }: { readonly wanted: string | undefined }) {
  const flowEditor = useFlowEditor();
  const { editor, flow } = flowEditor;
  return (
    <EditorContext value={editor}>
      {flow ? (
        <Builder flow={flow} flowEditor={flowEditor} path={wanted} />
      ) : (
        <SectionPart title="Flow">
          <p>
            This agent has no flow that can be drawn. Choose a flow as its brain, or correct the JSON below.
          </p>
          <JsonSetting path={FLOW_PATH} />
        </SectionPart>
      )}
    </EditorContext>
  );
}

interface BuilderProps {
  readonly flow: DraftFlow;
  readonly flowEditor: FlowEditor;
  /** The setting to show. */
  readonly path: string | undefined;
}

function Builder({ flow, flowEditor, path }: BuilderProps) {
  const { editor, change } = flowEditor;
  const [chosen, setChosen] = useState(NOTHING);
  const [wanted, setWanted] = useState<Wanted>();
  const view = useRef(NO_VIEW);
  const show = (...nodes: readonly string[]): void => setWanted({ nodes });
  const problems = useProblems(flowEditor, flow);
  const { paths, onPath } = useLivePaths();
  const [keptPath, setKeptPath] = useState<readonly string[]>([]);
  const [search] = useSearchParams();
  const call = search.get("call");
  const marks = useMemo(
    () => ({
      problems: countsOf((problems ?? []).flatMap(({ node }) => node ?? [])),
      live: countsOf([...paths.values()].flatMap((nodes) => nodes.at(-1) ?? [])),
      walked: new Set([...paths.values(), keptPath].flatMap(walkedOn)),
    }),
    [problems, paths, keptPath],
  );
  const tools = { flow, flowEditor, chosen, show, middle: () => view.current.middle() };
  const keys = useFlowKeys({ ...tools, zoom: (how) => view.current.zoom(how) });
  const [shownPath, setShownPath] = useState<string>();
  if (path !== shownPath) {
    setShownPath(path);
    const [, index] = /^brain\.flow\.nodes\.(\d+)/.exec(path ?? "") ?? [];
    const id = flow.nodes[Number(index)]?.id;
    if (id !== undefined) setWanted({ nodes: [id] });
  }
  return (
    <section className="flow-builder pf-card" aria-label="Flow builder" {...keys}>
      <FlowToolbar {...tools} />
      {/* A large flow has hundreds of nodes and edges to tab through. */}
      <a href={`#${FIELDS_ID}`} className="skip-link">
        Skip to the fields
      </a>
      <div className="flow-parts">
        <div className="flow-drawn" tabIndex={-1}>
          <FlowCanvas
            flow={flow}
            marks={marks}
            mayChange={editor.mayChange}
            wanted={wanted}
            onChoose={setChosen}
            onMove={(places) => change(withPlaces(flow, places), "move")}
            onConnect={(edge) => change(withEdge(flow, edge))}
            onReady={(canvas) => {
              view.current = canvas;
            }}
          />
        </div>
        <div className="flow-panel" id={FIELDS_ID} tabIndex={-1}>
          {call !== null && (
            <KeptPath callId={call} agent={editor.agent} flow={flow} onPath={setKeptPath} onShow={show} />
          )}
          <LiveNodes agentId={editor.agent.id} flow={flow} onPath={onPath} onShow={show} />
          <FlowPanel {...{ flow, flowEditor, chosen, problems }} onShow={show} />
        </div>
      </div>
    </section>
  );
}

/** The checks, with the API's schemas. The flow is drawn before they are there. */
const loadChecks = () =>
  loadCode(async () => {
    const [{ faultsOf }, { problemsOf }] = await Promise.all([
      import("../agents/agent-faults.ts"),
      import("./flow-problems.ts"),
    ]);
    return { faultsOf, problemsOf };
  });

/** Computed at low priority, so typing stays responsive; undefined until the checks are there. */
function useProblems({ editor }: FlowEditor, flow: DraftFlow): readonly FlowProblem[] | undefined {
  const settled = useDeferredValue(flow);
  const draft = useDeferredValue(editor.draft);
  const checks = useCode(loadChecks, true);
  const { agent } = editor;
  return useMemo(
    () => checks?.problemsOf(settled, draft, checks.faultsOf(draft, draftOf(agent))),
    [checks, settled, draft, agent],
  );
}

function countsOf(ids: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** The edges a call took, from node to node. */
function walkedOn(nodes: readonly string[]): string[] {
  return nodes.slice(1).map((node, index) => `${nodes[index]} ${node}`);
}

/** The paths of live calls. */
function useLivePaths() {
  const [paths, setPaths] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const onPath = useCallback(
    (sessionId: string, nodes: readonly string[] | undefined) =>
      setPaths((known) => {
        const next = new Map(known);
        if (nodes) next.set(sessionId, nodes);
        else next.delete(sessionId);
        return next;
      }),
    [],
  );
  return { paths, onPath };
}
