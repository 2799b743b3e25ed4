import { isObject, type Json, mergePatch } from "@parley/shared/contracts/merge-patch.ts";
import { isSame } from "../agents/json-at.ts";
import { patchBetween } from "../agents/patch-between.ts";
import { freeId } from "./flow-edits.ts";

/**
 * Merges local changes into another person's version of the same flow: node by node, edge by edge. What
 * either side added or changed stays, even if the other deleted it; for the same field, the local value wins.
 */
export function mergeFlows(base: Json, own: Json, theirs: Json): Json {
  const mine = keptApart(base, own, theirs);
  const nodes = mergeNamed("id", listsOf("nodes", base, mine, theirs));
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = mergeEdges(listsOf("edges", base, mine, theirs));
  const { nodes: _, edges: __, exits: ___, ...rest } = patchBetween(base, mine);
  return {
    ...mergePatch(theirs, rest),
    nodes,
    // Drops edges of nodes that both sides removed.
    edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)),
    exits: mergeNamed("name", listsOf("exits", base, mine, theirs)),
  };
}

/** Local changes under other ids where the other person gave the same id to another new node. */
function keptApart(base: Json, mine: Json, theirs: Json): Json {
  const lists = listsOf("nodes", base, mine, theirs);
  const taken = [...lists.theirs, ...lists.mine].map(({ id }) => ({ id: String(id) }));
  const renamed = new Map<unknown, string>();
  for (const node of lists.mine) {
    const isNamed = ({ id }: Json): boolean => id === node.id;
    const their = lists.theirs.find(isNamed);
    if (!their || isSame(their, node) || lists.base.some(isNamed)) continue;
    const id = freeId(taken, String(node.type));
    taken.push({ id });
    renamed.set(node.id, id);
  }
  if (renamed.size === 0) return mine;
  const to = (id: unknown): unknown => renamed.get(id) ?? id;
  return {
    ...mine,
    start: to(mine.start),
    nodes: lists.mine.map((node) => ({ ...node, id: to(node.id) })),
    edges: listsOf("edges", base, mine, theirs).mine.map((edge) => ({
      ...edge,
      from: to(edge.from),
      to: to(edge.to),
    })),
    exits: listsOf("exits", base, mine, theirs).mine.map((exit) => ({ ...exit, to: to(exit.to) })),
  };
}

interface Lists {
  readonly base: readonly Json[];
  readonly mine: readonly Json[];
  readonly theirs: readonly Json[];
}

function listsOf(field: string, base: Json, mine: Json, theirs: Json): Lists {
  const list = (flow: Json): readonly Json[] => {
    const value = flow[field];
    return Array.isArray(value) ? value.filter(isObject) : [];
  };
  return { base: list(base), mine: list(mine), theirs: list(theirs) };
}

/** Merges items identified by a stable name; of those with the same one, the first with the first, and so on. */
function mergeNamed(key: string, { base, mine, theirs }: Lists): Json[] {
  const [were, my, their] = [named(key, base), named(key, mine), named(key, theirs)];
  return [...new Set([...their.keys(), ...my.keys()])].flatMap((name) => {
    const [was, own, other] = [were.get(name), my.get(name), their.get(name)];
    if (own && other) {
      if (was) return [mergePatch(other, patchBetween(was, own))];
      return isSame(own, other) ? [own] : [other, own];
    }
    const left = own ?? other;
    // Deleted on one side: drop it unless the other side changed it.
    return left && !(was && isSame(was, left)) ? [left] : [];
  });
}

function named(key: string, list: readonly Json[]): ReadonlyMap<string, Json> {
  const items = new Map<string, Json>();
  for (const item of list) {
    let nr = 1;
    while (items.has(`${String(item[key])} ${nr}`)) nr += 1;
    items.set(`${String(item[key])} ${nr}`, item);
  }
  return items;
}

/** Edges have no name; one that leads elsewhere is a different edge. */
function mergeEdges({ base, mine, theirs }: Lists): Json[] {
  const has = (list: readonly Json[], edge: Json): boolean => list.some((one) => isSame(one, edge));
  const merged = theirs.filter((edge) => has(mine, edge) || !has(base, edge));
  for (const [index, edge] of mine.entries()) {
    if (has(base, edge) || has(merged, edge)) continue;
    // Order matters: the first open edge is taken.
    const next = mine.slice(index + 1).find((one) => one.from === edge.from && has(merged, one));
    const place = next ? merged.findIndex((one) => isSame(one, next)) : merged.length;
    merged.splice(place, 0, edge);
  }
  return merged;
}
