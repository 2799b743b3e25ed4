/** Deeper than any real app nests. */
const MAX_DEPTH = 64;

/**
 * Whether a value takes at most about `maxBytes` as JSON and nests within reason. A frame's value may be
 * circular or too large to copy, so the walk stops at the bound.
 */
export function isWithin(value: unknown, maxBytes: number): boolean {
  return take(value, { left: maxBytes }, 0);
}

function take(value: unknown, budget: { left: number }, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  budget.left -= sizeOf(value);
  if (budget.left < 0) return false;
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => take(item, budget, depth + 1));
  for (const key in value) {
    budget.left -= key.length + 3;
    if (budget.left < 0 || !take(Reflect.get(value, key), budget, depth + 1)) return false;
  }
  return true;
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength;
  return typeof value === "number" ? 4 : 2;
}
