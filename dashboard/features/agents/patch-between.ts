import { isObject, type Json } from "@parley/shared/contracts/merge-patch.ts";
import { isSame } from "./json-at.ts";

/**
 * Returns the patch that `mergePatch` turns `before` into `after` with: removed fields are `null`, lists are
 * whole. The patch cannot express a `null` in objects of `after`.
 */
export function patchBetween(before: Json, after: Json): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [before[key], after[key]];
    if (isSame(from, to)) continue;
    if (to === undefined) patch[key] = null;
    else patch[key] = isObject(from) && isObject(to) ? objectPatch(from, to) : to;
  }
  return patch;
}

function objectPatch(from: Json, to: Json): Json {
  const patch = patchBetween(from, to);
  // An object that changes its kind is replaced and must be sent whole.
  const isReplaced = "kind" in patch && patch.kind !== (from.kind ?? "custom");
  if (!isReplaced) return patch;
  return "kind" in to ? to : { ...to, kind: null };
}

/** The setting paths a patch touches, down to lists and single values. */
export function touchedPaths(patch: Json, under = ""): string[] {
  return Object.entries(patch).flatMap(([key, value]) =>
    isObject(value) && Object.keys(value).length > 0
      ? touchedPaths(value, `${under}${key}.`)
      : [`${under}${key}`],
  );
}
