export type Json = Readonly<Record<string, unknown>>;

/** An object of JSON, as opposed to a list, a text or nothing. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A JSON merge patch (RFC 7396), `null` taking a field away, with one addition: an object that becomes one of another
 * `kind` is replaced, as the fields of the old kind mean nothing to the new one.
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

/** A patch that does not say a kind leaves it; a brain that has none is a custom one. */
export function isSameKind(before: unknown, patch: Json): before is Json {
  return isObject(before) && (patch.kind === undefined || patch.kind === (before.kind ?? "custom"));
}
