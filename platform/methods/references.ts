import { BridgeError } from "../wire/errors.ts";

/** The types of records by which an app declares what its fields refer to. */
type Objects = Readonly<
  Record<string, { readonly references?: Readonly<Record<string, string>> | undefined }>
>;

const OBJECTS = "objects:";

/**
 * The types among which `expand` looks for the record that a field names: the declared one, or else all that the app
 * has a scope for. Throws `BridgeError` scope_missing for a declared type without one.
 */
export function referencedTypes({
  type,
  field,
  objects = {},
  scopes,
}: {
  readonly type: string;
  readonly field: string;
  readonly objects: Objects | undefined;
  readonly scopes: readonly string[];
}): readonly string[] {
  const references = Object.hasOwn(objects, type) ? objects[type]?.references : undefined;
  const declared = references && Object.hasOwn(references, field) ? references[field] : undefined;
  if (declared === undefined)
    return scopes.filter((scope) => scope.startsWith(OBJECTS)).map((scope) => scope.slice(OBJECTS.length));
  if (scopes.includes(OBJECTS + declared)) return [declared];
  throw new BridgeError("scope_missing", `Expanding ${field} needs scope objects:${declared}.`);
}
