import type { ToolParameters } from "../../contracts/tools/tool-kind.ts";

const BLANK = "";

/**
 * A copy of a tool's arguments, or of its result, in which what its parameters declare as not to be shown is blank
 * (docs/brain.md#parameters-that-are-not-shown). Arguments that could not be parsed are blank as a whole.
 */
export function blankOut(value: unknown, parameters: ToolParameters): unknown {
  const names = new Set(declaredIn(parameters));
  if (names.size === 0) return value;
  return typeof value === "string" ? BLANK : blanked(value, names);
}

/** The names of parameters, at any depth, that JSON Schema says are for writing only, or that are passwords. */
function declaredIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(declaredIn);
  if (typeof schema !== "object" || schema === null) return [];
  const own = Object.entries(Object(Reflect.get(schema, "properties")) as object)
    .filter(([, parameter]) => isDeclared(parameter))
    .map(([name]) => name);
  return [...own, ...Object.values(schema).flatMap(declaredIn)];
}

function isDeclared(parameter: unknown): boolean {
  const { writeOnly, format } = Object(parameter) as { writeOnly?: unknown; format?: unknown };
  return writeOnly === true || format === "password";
}

function blanked(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => blanked(item, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, names.has(name) ? BLANK : blanked(each, names)]),
  );
}
