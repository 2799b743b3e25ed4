import { BUNDLE_LIMITS } from "./bundle-limits.ts";

type Path = readonly (string | number)[];

/** A value in a manifest that no database keeps, or no reader follows. */
export interface Unstorable {
  readonly path: Path;
  readonly message: string;
}

/** The first such value; undefined when there is none. Never recurses deeper than a manifest may nest. */
export function unstorableIn(value: unknown, path: Path = []): Unstorable | undefined {
  if (typeof value === "string") return unstorableText(value, path);
  if (typeof value !== "object" || value === null) return undefined;
  if (path.length >= BUNDLE_LIMITS.manifestDepth)
    return {
      path,
      message: `is nested too deep: objects and lists may be ${BUNDLE_LIMITS.manifestDepth} deep`,
    };
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  for (const [key, one] of entries) {
    const within = [...path, key];
    const found = (typeof key === "string" && unstorableText(key, path)) || unstorableIn(one, within);
    if (found) return found;
  }
  return undefined;
}

function unstorableText(text: string, path: Path): Unstorable | undefined {
  if (!text.includes("\0") && text.isWellFormed()) return undefined;
  return { path, message: "has a text with NUL or half a character, which cannot be kept" };
}
