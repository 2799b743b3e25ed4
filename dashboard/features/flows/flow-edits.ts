import type { FlowNodeType } from "@parley/shared/contracts/flows/nodes.ts";
import type { Outcome } from "@parley/shared/contracts/flows/outcomes.ts";
import { isObject, type Json } from "@parley/shared/contracts/merge-patch.ts";
import type { DraftEdge, DraftFlow, DraftNode } from "./flow-draft.ts";
import { COLUMN, type Place, placesOf, ROW, tidyPlaces } from "./flow-layout.ts";
import { kindOf, outcomesOfDraft } from "./node-kinds.ts";

/** Edits of a flow as a person draws it: a flow in, a flow out, and the one that came in is left as it is. */

/** Copied nodes, and the edges between them. */
export interface Clip {
  readonly nodes: readonly DraftNode[];
  readonly edges: readonly DraftEdge[];
}

interface NewNode {
  readonly type: FlowNodeType;
  readonly place: Place;
  /** The node to connect from, by its first open outcome. */
  readonly after?: string | undefined;
}

/** Fixes every node's place: an automatic place would change with the next edge, so once one is fixed, all are. */
function pinned(flow: DraftFlow): readonly DraftNode[] {
  const places = placesOf(flow);
  // An unmoved node keeps its identity, which avoids a redraw.
  return flow.nodes.map((node) => (node.position ? node : { ...node, position: places.get(node.id) }));
}

/** A flow, and the ids of the added nodes. */
interface Grown {
  readonly flow: DraftFlow;
  readonly added: readonly string[];
}

export function withNode(flow: DraftFlow, { type, place, after }: NewNode): Grown {
  const id = freeId(flow.nodes, type);
  const node = { id, type, ...kindOf(type).blank, position: rounded(freePlace(flow, place)) };
  const from = flow.nodes.find((one) => one.id === after);
  const on = from && openOutcomes(flow, from)[0];
  const grown = { ...flow, nodes: [...pinned(flow), node] };
  return { flow: from && on ? withEdge(grown, { from: from.id, to: id, on }) : grown, added: [id] };
}

/** The given place, or the next free one beside it. */
function freePlace(flow: DraftFlow, { x, y }: Place): Place {
  const taken = [...placesOf(flow).values()];
  let free = x;
  while (taken.some((one) => Math.abs(one.x - free) < COLUMN && Math.abs(one.y - y) < ROW / 2))
    free += COLUMN;
  return { x: free, y };
}

/** Outcomes of a node without an edge. */
function openOutcomes(flow: DraftFlow, node: DraftNode): readonly Outcome[] {
  const own = flow.edges.filter(({ from }) => from === node.id);
  return outcomesOfDraft(node).filter((outcome) => !own.some(({ on }) => on === outcome));
}

/**
 * Adds an edge, unless an equal one exists: before the one that is always open, as it is about to get a condition, and
 * nothing behind that one is ever taken.
 */
export function withEdge(flow: DraftFlow, edge: { from: string; to: string; on: Outcome }): DraftFlow {
  const { edges } = flow;
  const isBeside = ({ from, on }: DraftEdge): boolean => from === edge.from && on === edge.on;
  if (edges.some((one) => isBeside(one) && one.to === edge.to)) return flow;
  const open = edges.findIndex((one) => isBeside(one) && one.when === undefined && one.judge === undefined);
  return { ...flow, edges: edges.toSpliced(open === -1 ? edges.length : open, 0, edge) };
}

export function withoutParts(
  flow: DraftFlow,
  nodeIds: ReadonlySet<string>,
  edges: ReadonlySet<DraftEdge>,
): DraftFlow {
  return {
    ...flow,
    nodes: flow.nodes.filter(({ id }) => !nodeIds.has(id)),
    edges: flow.edges.filter((edge) => !edges.has(edge) && !nodeIds.has(edge.from) && !nodeIds.has(edge.to)),
    exits: flow.exits.filter(({ to }) => !nodeIds.has(to)),
  };
}

export function withPlaces(flow: DraftFlow, places: ReadonlyMap<string, Place>): DraftFlow {
  return {
    ...flow,
    nodes: pinned(flow).map((node) => {
      const place = places.get(node.id);
      return place ? { ...node, position: rounded(place) } : node;
    }),
  };
}

export function tidied(flow: DraftFlow): DraftFlow {
  return withPlaces(flow, tidyPlaces(flow));
}

export function clipOf(flow: DraftFlow, nodeIds: ReadonlySet<string>): Clip {
  return {
    nodes: pinned(flow).filter(({ id }) => nodeIds.has(id)),
    edges: flow.edges.filter(({ from, to }) => nodeIds.has(from) && nodeIds.has(to)),
  };
}

const BESIDE = 40;

/** Pastes copied nodes under new ids, slightly offset. */
export function withClip(flow: DraftFlow, clip: Clip): Grown {
  const ids = new Map<string, string>();
  const all = [...pinned(flow)];
  for (const node of clip.nodes) {
    const id = freeId(all, node.type);
    const { x, y } = isObject(node.position) ? node.position : {};
    const position = { x: Number(x) + BESIDE || 0, y: Number(y) + BESIDE || 0 };
    ids.set(node.id, id);
    all.push({ ...node, id, position });
  }
  const between = clip.edges.flatMap((edge) => {
    const [from, to] = [ids.get(edge.from), ids.get(edge.to)];
    return from && to ? [{ ...edge, from, to }] : [];
  });
  return { flow: { ...flow, nodes: all, edges: [...flow.edges, ...between] }, added: [...ids.values()] };
}

/** Parses a clip copied here or on another agent's page; undefined for anything else. */
export function clipIn(text: string): Clip | undefined {
  try {
    const read: unknown = JSON.parse(text);
    if (!isObject(read) || !Array.isArray(read.nodes) || !Array.isArray(read.edges)) return undefined;
    const isNode = (node: unknown): boolean =>
      isObject(node) && typeof node.id === "string" && typeof node.type === "string";
    return read.nodes.length > 0 && read.nodes.every(isNode) && read.edges.every(isObject)
      ? (read as unknown as Clip)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Letters and digits that nobody mistakes for another one. */
const ID_CHARS = "abcdefghjkmnpqrstuvwxyz23456789";
const ID_LENGTH = 4;

/**
 * A new node's id: drawn by lot, so that it is neither that of a node deleted earlier, which records of calls still
 * name, nor that of a node which somebody else adds at the same time.
 */
export function freeId(nodes: readonly { readonly id: string }[], type: string): string {
  const taken = new Set(nodes.map(({ id }) => id));
  for (;;) {
    const drawn = crypto.getRandomValues(new Uint8Array(ID_LENGTH));
    const id = `${type}_${[...drawn].map((byte) => ID_CHARS[byte % ID_CHARS.length]).join("")}`;
    if (!taken.has(id)) return id;
  }
}

/** Adds an exit that leads nowhere yet, under a name that no other one has. */
export function withExit(exits: readonly Json[]): readonly Json[] {
  const taken = new Set(exits.map(({ name }) => name));
  let nr = exits.length + 1;
  while (taken.has(`Exit ${nr}`)) nr += 1;
  return [...exits, { name: `Exit ${nr}`, phrases: [], to: "" }];
}

function rounded({ x, y }: Place): Place {
  return { x: Math.round(x), y: Math.round(y) };
}
