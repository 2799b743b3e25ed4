import { isObject, type Json, mergePatch } from "@parley/shared/contracts/merge-patch.ts";
import { isSame } from "../agents/json-at.ts";
import { patchBetween } from "../agents/patch-between.ts";

/**
 * Merges local changes into another person's version of the same flow: node by node, edge by edge. What
 * either side added or changed stays, even if the other deleted it; for the same field, the local value wins.
 */
export function mergeFlows(base: Json, mine: Json, theirs: Json): Json {
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

/** Merges items identified by a stable name. */
function mergeNamed(key: string, { base, mine, theirs }: Lists): Json[] {
  const at = (list: readonly Json[], name: unknown): Json | undefined =>
    list.find((item) => item[key] === name);
  const names = new Set([...theirs, ...mine].map((item) => item[key]));
  return [...names].flatMap((name) => {
    const [was, my, their] = [at(base, name), at(mine, name), at(theirs, name)];
    if (my && their) return [was ? mergePatch(their, patchBetween(was, my)) : my];
    const left = my ?? their;
    // Deleted on one side: drop it unless the other side changed it.
    return left && !(was && isSame(was, left)) ? [left] : [];
  });
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
