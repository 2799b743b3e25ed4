import {
  applyEdgeChanges,
  applyNodeChanges,
  Background,
  type Connection,
  Controls,
  type EdgeChange,
  type NodeChange,
  ReactFlow,
  type ReactFlowInstance,
} from "@xyflow/react";
import { useCallback, useEffect, useMemo, useState } from "react";
import "@xyflow/react/dist/style.css";
import type { Outcome } from "@parley/shared/contracts/flows/outcomes.ts";
import { arrowsOf, type Marks, type StepEdge, stepsOf } from "./canvas-parts.ts";
import type { DraftEdge, DraftFlow } from "./flow-draft.ts";
import { NODE_WIDTH, type Place } from "./flow-layout.ts";
import { Step, type StepNode } from "./step-node.tsx";
import "./flow.css";

const NODE_TYPES = { step: Step };
const FIT = { maxZoom: 1, minZoom: 0.4 };

/** The selection on the canvas. */
export interface Chosen {
  readonly nodes: readonly string[];
  readonly edges: readonly DraftEdge[];
}

/** Nodes to select and show; each request is a new object. */
export interface Wanted {
  readonly nodes: readonly string[];
}

/** Callbacks for actions on the canvas. */
interface CanvasActions {
  readonly onChoose: (chosen: Chosen) => void;
  readonly onMove: (places: ReadonlyMap<string, Place>) => void;
  readonly onConnect: (edge: { from: string; to: string; on: Outcome }) => void;
  readonly onReady: (view: CanvasView) => void;
}

/** The visible part of the flow. */
export interface CanvasView {
  /** Returns its center. */
  readonly middle: () => Place;
  readonly zoom: (how: Zoom) => void;
}

export type Zoom = "in" | "out" | "fit";

interface FlowCanvasProps extends CanvasActions {
  readonly flow: DraftFlow;
  readonly marks: Marks;
  readonly mayChange: boolean;
  readonly wanted: Wanted | undefined;
}

/**
 * The drawn flow. It holds purely visual state, such as a node being dragged; the flow changes when the node
 * is dropped.
 */
export function FlowCanvas({ flow, marks, mayChange, wanted, ...actions }: FlowCanvasProps) {
  const [canvas, setCanvas] = useState<ReactFlowInstance<StepNode, StepEdge>>();
  const { nodes, edges, choose, changeNodes, changeEdges } = useDrawn(flow, marks, actions.onMove);
  useEffect(() => {
    if (!wanted || !canvas) return;
    choose(new Set(wanted.nodes));
    const shown = wanted.nodes.map((id) => ({ id }));
    if (shown.length > 0) void canvas.fitView({ nodes: shown, maxZoom: 1, minZoom: 0.5 });
  }, [wanted, canvas, choose]);
  const { onChoose, onConnect, onReady } = actions;
  const tellChosen = useCallback(
    (all: { nodes: StepNode[]; edges: StepEdge[] }) =>
      onChoose({
        nodes: all.nodes.map(({ id }) => id),
        edges: all.edges.flatMap(({ data }) => data?.edge ?? []),
      }),
    [onChoose],
  );
  const ready = (instance: ReactFlowInstance<StepNode, StepEdge>): void => {
    setCanvas(instance);
    onReady({ middle: () => middleOf(instance), zoom: (how) => zoomed(instance, how) });
  };
  const connect = ({ source, target, sourceHandle }: Connection): void =>
    onConnect({ from: source, to: target, on: (sourceHandle ?? "next") as Outcome });
  return (
    <ReactFlow<StepNode, StepEdge>
      className="flow-canvas"
      aria-label="Flow"
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      onNodesChange={changeNodes}
      onEdgesChange={changeEdges}
      onConnect={connect}
      onSelectionChange={tellChosen}
      onInit={ready}
      nodesDraggable={mayChange}
      nodesConnectable={mayChange}
      // Edges come before nodes in the order of focus; their nodes' forms have them.
      edgesFocusable={false}
      // The builder deletes instead: its keys also work after the canvas missed a key-up.
      deleteKeyCode={null}
      minZoom={0.1}
      fitView
      fitViewOptions={FIT}
    >
      <Background />
      <Controls showInteractive={false} fitViewOptions={FIT} />
    </ReactFlow>
  );
}

/** The flow's parts as the canvas holds them; selection, measurements and drags exist only there. */
function useDrawn(flow: DraftFlow, marks: Marks, onMove: (places: ReadonlyMap<string, Place>) => void) {
  const steps = useMemo(() => stepsOf(flow, marks), [flow, marks]);
  const arrows = useMemo(() => arrowsOf(flow, marks), [flow, marks]);
  const [nodes, setNodes] = useState(steps);
  const [edges, setEdges] = useState(arrows);
  useEffect(() => setNodes((drawn) => merged(drawn, steps)), [steps]);
  useEffect(() => setEdges((drawn) => merged(drawn, arrows)), [arrows]);
  const changeNodes = (changes: NodeChange<StepNode>[]): void => {
    // The flow itself decides what is removed.
    const kept = changes.filter(({ type }) => type !== "remove");
    setNodes((drawn) => applyNodeChanges(kept, drawn));
    const arrived = kept.flatMap((change) =>
      change.type === "position" && change.dragging === false && change.position
        ? [[change.id, change.position] as const]
        : [],
    );
    if (arrived.length > 0) onMove(new Map(arrived));
  };
  const changeEdges = (changes: EdgeChange<StepEdge>[]): void =>
    setEdges((drawn) =>
      applyEdgeChanges(
        changes.filter(({ type }) => type !== "remove"),
        drawn,
      ),
    );
  const choose = useCallback((ids: ReadonlySet<string>) => {
    setNodes((drawn) => drawn.map((node) => ({ ...node, selected: ids.has(node.id) })));
    setEdges((drawn) => drawn.map((edge) => ({ ...edge, selected: false })));
  }, []);
  return { nodes, edges, choose, changeNodes, changeEdges };
}

function merged<T extends { readonly id: string }>(drawn: readonly T[], now: readonly T[]): T[] {
  const before = new Map(drawn.map((one) => [one.id, one]));
  return now.map((one) => ({ ...before.get(one.id), ...one }));
}

function zoomed(canvas: ReactFlowInstance<StepNode, StepEdge>, how: Zoom): void {
  const zooms = { in: () => canvas.zoomIn(), out: () => canvas.zoomOut(), fit: () => canvas.fitView(FIT) };
  void zooms[how]();
}

function middleOf(canvas: ReactFlowInstance<StepNode, StepEdge>): Place {
  const box = document.querySelector(".flow-canvas")?.getBoundingClientRect();
  if (!box) return { x: 0, y: 0 };
  const { x, y } = canvas.screenToFlowPosition({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  return { x: x - NODE_WIDTH / 2, y };
}
