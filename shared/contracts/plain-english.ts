import type { z } from "zod";

type RawIssue = z.core.$ZodRawIssue;

const MAX_CHOICES = 20;
const MAX_CHOICE_CHARS = 40;

/** Names of types for people who do not read our source. */
const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a JSON object",
  record: "a JSON object",
  null: "null",
  date: "a date",
  nonoptional: "given",
};

const FORMATS: Readonly<Record<string, string>> = {
  email: "an email address",
  url: "a URL",
  datetime: "a date and time such as 2026-01-31T09:30:00Z",
  date: "a date such as 2026-01-31",
  uuid: "a UUID",
  e164: "a phone number in E.164 format, such as +14155550123",
  base64: "base64",
  json_string: "JSON",
};

/**
 * Error messages for schemas without one of their own: a predicate that follows the field's name ("is required",
 * "must be a whole number"). The error map for parsing everything that clients send.
 */
export const plainEnglish: z.core.$ZodErrorMap = (issue) => {
  if (isMissing(issue)) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "too_small":
      return bound(issue, Number(issue.minimum), "at least");
    case "too_big":
      return bound(issue, Number(issue.maximum), "at most");
    case "invalid_format":
      return formatText(issue);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_value":
      return oneOf(issue.values);
    case "invalid_union":
      return "options" in issue ? oneOf(issue.options as unknown[]) : "is not in any accepted form";
    case "invalid_key":
      return "is not an accepted key";
    case "unrecognized_keys":
      return "has fields that are not known";
    default:
      return "is invalid";
  }
};

/** A discriminated union reports the discriminator's path, with the surrounding object as input. */
function isMissing(issue: RawIssue): boolean {
  if (issue.code === "invalid_union" && "discriminator" in issue) {
    const { input, discriminator } = issue;
    return typeof input === "object" && input !== null && !(String(discriminator) in input);
  }
  return issue.input === undefined && ["invalid_type", "invalid_value", "invalid_union"].includes(issue.code);
}

function bound(
  {
    origin,
    inclusive,
    exact,
  }: { origin: string; inclusive?: boolean | undefined; exact?: boolean | undefined },
  limit: number,
  side: "at least" | "at most",
): string {
  const counted = { string: "character", array: "item", set: "item", file: "byte" }[origin];
  if (counted === undefined) {
    if (inclusive === false) return `must be ${side === "at least" ? "more" : "less"} than ${limit}`;
    return `must be ${side} ${limit}`;
  }
  if (side === "at least" && limit === 1) return "must not be empty";
  return `must have ${exact ? "exactly" : side} ${limit} ${counted}${limit === 1 ? "" : "s"}`;
}

function formatText(issue: Extract<RawIssue, { code: "invalid_format" }>): string {
  if (issue.format === "starts_with") return `must begin with ${quoted(issue.prefix)}`;
  if (issue.format === "ends_with") return `must end with ${quoted(issue.suffix)}`;
  const form = FORMATS[issue.format];
  return form === undefined ? "is not in the expected format" : `must be ${form}`;
}

function oneOf(values: readonly unknown[]): string {
  // A discriminator may be left out.
  const named = values.filter((value) => value !== undefined);
  const [first] = named;
  if (named.length === 1) return `must be ${quoted(first)}`;
  const shown = named.slice(0, MAX_CHOICES).map((value) => String(value).slice(0, MAX_CHOICE_CHARS));
  return `must be one of ${shown.join(", ")}${named.length > MAX_CHOICES ? ", …" : ""}`;
}

function quoted(value: unknown): string {
  return typeof value === "string" ? `"${value.slice(0, MAX_CHOICE_CHARS)}"` : String(value);
}
