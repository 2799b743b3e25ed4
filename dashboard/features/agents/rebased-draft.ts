import { isObject, type Json, mergePatch } from "@parley/shared/contracts/merge-patch.ts";
import { mergeFlows } from "../flows/merge-flows.ts";
import { valueAt, withValueAt } from "./json-at.ts";
import { patchBetween } from "./patch-between.ts";

interface Drafts {
  /** The common ancestor. */
  readonly base: Json;
  readonly mine: Json;
  readonly theirs: Json;
}

/**
 * Reapplies local changes on top of what another person saved meanwhile. In a flow, each node counts as a
 * setting.
 */
export function rebasedDraft({ base, mine, theirs }: Drafts): Json {
  const merged = mergePatch(theirs, patchBetween(base, mine));
  const [from, my, their] = [base, mine, theirs].map((draft) => valueAt(draft, "brain.flow"));
  if (!isObject(from) || !isObject(my) || !isObject(their)) return merged;
  return withValueAt(merged, "brain.flow", mergeFlows(from, my, their));
}
