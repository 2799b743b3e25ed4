import type { z } from "zod";

type RawIssue = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

const MAX_CHOICES = 20;
const MAX_CHOICE_CHARS = 40;

/** Names of types for people who know JSON, and no schema library. */
const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a JSON object",
  record: "a JSON object",
  null: "null",
};

const COUNTED: Readonly<Record<string, string>> = { string: "character", array: "item" };

/**
 * Error messages for schemas without one of their own: a predicate that follows the field's name ("is required", "must
 * be a list"). The words of the dashboard's server, which this folder may not import.
 */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  if (isMissing(issue)) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "too_small":
      return bound(issue, Number(issue.minimum), "at least");
    case "too_big":
      return bound(issue, Number(issue.maximum), "at most");
    case "invalid_value":
      return oneOf(issue.values);
    case "invalid_format":
      return "is not in the expected format";
    case "invalid_union":
      return "is not in any accepted form";
    case "invalid_key":
      return "is not an accepted key";
    case "unrecognized_keys":
      return "has fields that are not known";
    default:
      return "is invalid";
  }
};

/** What is wrong with one value, as a predicate. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What schemas refuse, value by value: each unknown field at its place, and the form of a value that was meant. */
export function faultsOf(issues: readonly Issue[]): Fault[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map((key) => (typeof key === "symbol" ? String(key) : key));
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ path: [...path, key], message: "is not a known field" }));
    if (issue.code !== "invalid_union" || issue.errors.length === 0)
      return [{ path, message: issue.message }];
    const meant = formMeant(issue.errors);
    if (!meant) return [{ path, message: alternatives(issue.errors) }];
    return faultsOf(meant.map((one) => ({ ...one, path: [...issue.path, ...one.path] })));
  });
}

/** The form with the fewest faults among those whose type was given, or the only one of that type. */
function formMeant(forms: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const close = forms.filter((issues) => issues.every(({ path }) => path.length > 0));
  if (close.length > 0) return close.toSorted((one, other) => one.length - other.length)[0];
  const typed = forms.filter((issues) => !issues.some(isOfAnotherType));
  return typed.length === 1 ? typed[0] : undefined;
}

function isOfAnotherType({ path, code }: Issue): boolean {
  return path.length === 0 && ["invalid_type", "invalid_value", "invalid_union"].includes(code);
}

/** "must be a string or a number" */
function alternatives(forms: readonly (readonly Issue[])[]): string {
  const texts = new Set(forms.map(([first]) => first?.message ?? "is not accepted"));
  return [...texts].map((text, i) => (i === 0 ? text : text.replace(/^must be /, ""))).join(" or ");
}

function isMissing({ code, input }: RawIssue): boolean {
  return input === undefined && ["invalid_type", "invalid_value", "invalid_union"].includes(code);
}

function bound(
  { origin, exact }: { readonly origin: string; readonly exact?: boolean | undefined },
  limit: number,
  side: "at least" | "at most",
): string {
  const counted = COUNTED[origin];
  if (counted === undefined) return `must be ${side} ${limit}`;
  if (side === "at least" && limit === 1) return "must not be empty";
  return `must have ${exact ? "exactly" : side} ${limit} ${counted}${limit === 1 ? "" : "s"}`;
}

function oneOf(values: readonly unknown[]): string {
  const [first] = values;
  if (values.length === 1)
    return `must be ${typeof first === "string" ? `"${first.slice(0, MAX_CHOICE_CHARS)}"` : String(first)}`;
  const shown = values.slice(0, MAX_CHOICES).map((value) => String(value).slice(0, MAX_CHOICE_CHARS));
  return `must be one of ${shown.join(", ")}${values.length > MAX_CHOICES ? ", …" : ""}`;
}
