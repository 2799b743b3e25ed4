import { isObject, type Json } from "@parley/shared/contracts/merge-patch.ts";
import { type FieldWords, timeText, wordsOf } from "./agent-labels.ts";
import { isSame, valueAt } from "./json-at.ts";

/** One setting that differs between two versions of an agent. */
export interface Change {
  readonly path: string;
  /** The setting and its parents, outermost first. */
  readonly labels: readonly string[];
  /** As people read it; undefined when there was none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Settings whose contents belong to the customer. */
const OPAQUE =
  /^brain\.payload$|^rehearsals\.scenarios\.[^.]+$|^brain\.tools\.[^.]+\.(parameters|headers)$|^brain\.flow\.nodes\.[^.]+\.(position|arguments)$/;

/** Lists changed settings in page order. Named items in lists are compared by name. */
export function changesBetween(before: Json, after: Json): Change[] {
  const [from, to] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((path) => {
    const [old, now] = [from.get(path), to.get(path)];
    if (isSame(old?.value, now?.value)) return [];
    const labels = (now ?? old)?.labels ?? [];
    return [{ path, labels, before: textOf(path, old?.value), after: textOf(path, now?.value) }];
  });
}

interface Leaf {
  readonly labels: readonly string[];
  readonly value: unknown;
}

function leavesOf(settings: Json): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const visit = (value: unknown, path: string, labels: readonly string[]): void => {
    const inner = OPAQUE.test(path) ? undefined : partsOf(value, path);
    if (!inner) leaves.set(path, { labels, value });
    else for (const part of inner) visit(part.value, part.path, [...labels, part.label]);
  };
  for (const [key, value] of Object.entries(settings)) visit(value, key, [wordsOf(key).label]);
  return leaves;
}

interface Part {
  readonly path: string;
  readonly label: string;
  readonly value: unknown;
}

/** Parts of a list or an object; undefined for a value without parts. */
function partsOf(value: unknown, path: string): readonly Part[] | undefined {
  if (isObject(value)) {
    return Object.entries(value).map(([key, inner]) => ({
      path: `${path}.${key}`,
      label: wordsOfNamed(`${path}.${key}`).label,
      value: inner,
    }));
  }
  // An empty list has nothing to compare.
  if (!Array.isArray(value) || (value.length > 0 && !value.some(isObject))) return undefined;
  return value.map((inner, index) => {
    // A flow's nodes keep their id when their name changes.
    const name = valueAt(inner, "id") ?? valueAt(inner, "name");
    const isNamed = typeof name === "string" && name !== "";
    return {
      path: `${path}.${isNamed ? name.replaceAll(".", "_") : index}`,
      label: isNamed ? name : `${index + 1}.`,
      value: inner,
    };
  });
}

/** Words for a setting whose path contains items by name. */
function wordsOfNamed(path: string): FieldWords {
  return wordsOf(path.replace(/\b(tools|variables|destinations|nodes|exits|scenarios)\.[^.]+/g, "$1.0"));
}

function textOf(path: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") {
    const { unit } = wordsOfNamed(path);
    return unit ? timeText(value, unit) : value.toLocaleString("en");
  }
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join("\n");
  return JSON.stringify(value, null, 2);
}
