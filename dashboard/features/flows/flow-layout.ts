import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import type { DraftFlow, DraftNode } from "./flow-draft.ts";

export interface Place {
  readonly x: number;
  readonly y: number;
}

export const NODE_WIDTH = 240;
/** Distances from a node to the next one beside it (COLUMN) and below it (ROW). */
export const COLUMN = NODE_WIDTH + 40;
export const ROW = 170;

/** Where each node is drawn: at its own place, or else where the layout puts it. */
export function placesOf(flow: DraftFlow): ReadonlyMap<string, Place> {
  const tidy = flow.nodes.some((node) => !placeOf(node)) ? tidyPlaces(flow) : new Map<string, Place>();
  return new Map(flow.nodes.map((node) => [node.id, placeOf(node) ?? tidy.get(node.id) ?? { x: 0, y: 0 }]));
}

function placeOf({ position }: DraftNode): Place | undefined {
  if (!isObject(position)) return undefined;
  const { x, y } = position;
  return typeof x === "number" && typeof y === "number" ? { x, y } : undefined;
}

/** Lays nodes out in rows by distance from the start; within a row, near their predecessors. */
export function tidyPlaces(flow: DraftFlow): ReadonlyMap<string, Place> {
  const rows = rowsOf(flow);
  const places = new Map<string, Place>();
  for (const [depth, row] of rows.entries()) {
    const wanted = row.map((id, index) => {
      const from = flow.edges.flatMap((edge) => (edge.to === id ? (places.get(edge.from) ?? []) : []));
      const x = from.reduce((sum, place) => sum + place.x, 0) / from.length;
      return { id, x: Number.isFinite(x) ? x : index * COLUMN };
    });
    const ordered = wanted.toSorted((a, b) => a.x - b.x);
    const middle = ordered.reduce((sum, { x }) => sum + x, 0) / ordered.length;
    const left = middle - ((ordered.length - 1) * COLUMN) / 2;
    for (const [index, { id }] of ordered.entries()) {
      places.set(id, { x: Math.round(left + index * COLUMN), y: depth * ROW });
    }
  }
  return places;
}

/** Node ids by row; unreachable nodes come last. */
function rowsOf(flow: DraftFlow): string[][] {
  const left = new Set(flow.nodes.map(({ id }) => id));
  const rows: string[][] = [];
  const begins = [flow.start, ...flow.exits.map(({ to }) => to), ...left];
  for (const begin of begins) {
    if (!left.delete(begin)) continue;
    const isFirst = rows.length === 0;
    // Exits and unreachable nodes go below the conversation's start.
    let row = [begin];
    for (let depth = isFirst ? 0 : rows.length; row.length > 0; depth++) {
      rows[depth] = [...(rows[depth] ?? []), ...row];
      row = row.flatMap((id) =>
        flow.edges.flatMap(({ from, to }) => (from === id && left.delete(to) ? [to] : [])),
      );
    }
  }
  return rows;
}
