import { isObject, type Json } from "@parley/shared/contracts/merge-patch.ts";
import { type FieldWords, timeText, wordsOf } from "./agent-labels.ts";
import { isSame, valueAt } from "./json-at.ts";

/** One setting that two versions of an agent do not share. */
export interface Change {
  readonly path: string;
  /** The setting and what it is part of, the widest first. */
  readonly labels: readonly string[];
  /** As people read it; undefined: there was none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Settings whose insides are the customer's own. */
const OPAQUE =
  /^brain\.payload$|^rehearsals\.scenarios\.[^.]+$|^brain\.tools\.[^.]+\.(parameters|headers)$|^brain\.flow\.nodes\.[^.]+\.(position|arguments)$/;

/** Setting by setting, in the order of the pages. Things with names in lists are compared with those of the same name. */
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

/** Of a list or an object; undefined for what has no parts. */
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
    // Nodes of a flow have an id that stays when their name changes.
    const name = valueAt(inner, "id") ?? valueAt(inner, "name");
    const isNamed = typeof name === "string" && name !== "";
    return {
      path: `${path}.${isNamed ? name.replaceAll(".", "_") : index}`,
      label: isNamed ? name : `${index + 1}.`,
      value: inner,
    };
  });
}

/** Of a setting in whose path things stand by their names. */
function wordsOfNamed(path: string): FieldWords {
  return wordsOf(path.replace(/\b(tools|variables|destinations|nodes|exits|scenarios)\.[^.]+/g, "$1.0"));
}

function textOf(path: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    const { unit } = wordsOfNamed(path);
    return unit ? timeText(value, unit) : value.toLocaleString("en");
  }
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join("\n");
  return JSON.stringify(value, null, 2);
}
