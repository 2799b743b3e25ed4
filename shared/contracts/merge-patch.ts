export type Json = Readonly<Record<string, unknown>>;

/** True for a JSON object, as opposed to an array, a primitive, or null. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A JSON merge patch (RFC 7396), in which `null` removes a field, with one addition: an object whose `kind` changes
 * is replaced, as the fields of the old kind mean nothing to the new one.
 */
export function mergePatch(target: Json, patch: Json): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...target };
  for (const [field, value] of Object.entries(patch)) {
    const before = merged[field];
    if (value === null) delete merged[field];
    else if (isObject(value)) merged[field] = mergePatch(isSameKind(before, value) ? before : {}, value);
    else if (value !== undefined) merged[field] = value;
  }
  return merged;
}

/** A patch without a kind keeps the kind; a brain without one is a custom brain. */
export function isSameKind(before: unknown, patch: Json): before is Json {
  return isObject(before) && (patch.kind === undefined || patch.kind === (before.kind ?? "custom"));
}
