import { isObject, type Json } from "@parley/shared/contracts/merge-patch.ts";

/** The value at a path such as `brain.tools.0.name`; undefined when there is none. */
export function valueAt(root: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, root);
}

/** Returns a copy with another value at the path; `undefined` removes the field. All parents must exist. */
export function withValueAt(root: Json, path: string, value: unknown): Json {
  return changed(root, path.split("."), value) as Json;
}

function changed(target: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  const inner = (before: unknown): unknown => (rest.length === 0 ? value : changed(before, rest, value));
  if (Array.isArray(target)) return target.map((item, index) => (index === Number(key) ? inner(item) : item));
  const copy: Record<string, unknown> = { ...(isObject(target) ? target : {}) };
  const after = inner(copy[key]);
  if (after === undefined) delete copy[key];
  else copy[key] = after;
  return copy;
}

/** Whether two values are deeply equal, regardless of field order. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return Object.is(a, b);
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isSame(a[key], b[key]));
}
