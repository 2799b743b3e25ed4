import type { ToolParameters } from "../../contracts/tools/tool-kind.ts";

/** Keywords of JSON Schema whose schemas say something of the same value, or of what is in it. */
const KEYWORDS = ["allOf", "anyOf", "oneOf", "then", "else", "items", "prefixItems", "additionalProperties"];

/** What a tool's parameters declare as not to be shown (docs/brain.md#parameters-that-are-not-shown). */
interface DeclaredSecrets {
  /** True when it is everything. */
  readonly isWhole: boolean;
  /** The names of the parameters at any depth. */
  readonly names: ReadonlySet<string>;
}

/**
 * Finds the parameters that JSON Schema says are for writing only, or that are passwords: by a keyword of their own, or
 * by one of a schema that is an alternative of theirs, that of their items or values, or one they refer to.
 */
export function declaredSecrets(parameters: ToolParameters): DeclaredSecrets {
  const schemas = objectsIn(parameters);
  const users = new Map<object, object[]>();
  for (const schema of schemas) {
    for (const part of partsOf(schema, parameters)) {
      const known = users.get(part);
      if (known) known.push(schema);
      else users.set(part, [schema]);
    }
  }
  // Grows while it is gone through; a schema that refers to itself is in it once.
  const secret = new Set(schemas.filter(saysSo));
  for (const schema of secret) for (const user of users.get(schema) ?? []) secret.add(user);
  const names = schemas.flatMap((schema) =>
    entriesOf(Reflect.get(schema, "properties")).flatMap(([name, parameter]) =>
      isObject(parameter) && secret.has(parameter) ? [name] : [],
    ),
  );
  return { isWhole: secret.has(parameters), names: new Set(names) };
}

/** A JSON value's objects and arrays, itself included, however deep it is. */
export function objectsIn(value: unknown): object[] {
  const found = isObject(value) ? [value] : [];
  for (const one of found) for (const each of Object.values(one)) if (isObject(each)) found.push(each);
  return found;
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function saysSo(schema: object): boolean {
  const { writeOnly, format } = schema as { writeOnly?: unknown; format?: unknown };
  return writeOnly === true || format === "password";
}

function partsOf(schema: object, root: object): object[] {
  const parts = KEYWORDS.flatMap((keyword): unknown => Reflect.get(schema, keyword));
  const byPattern = entriesOf(Reflect.get(schema, "patternProperties")).map(([, part]) => part);
  return [...parts, ...byPattern, referredTo(Reflect.get(schema, "$ref"), root)].filter(isObject);
}

/** What a reference within the schema (`#/$defs/Secret`) leads to; undefined for any other. */
function referredTo(reference: unknown, root: object): unknown {
  if (typeof reference !== "string" || !/^#(?:\/|$)/.test(reference)) return undefined;
  const steps = reference.split("/").slice(1).map(stepOf);
  return steps.reduce<unknown>(
    (at, step) => (isObject(at) && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined),
    root,
  );
}

function stepOf(text: string): string {
  return decoded(text).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}
