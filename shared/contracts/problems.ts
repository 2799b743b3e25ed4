import type { z } from "zod";
import { AppError } from "../errors.ts";
import { plainEnglish } from "./plain-english.ts";

/** One problem of an input: the field, and what is wrong with it ("is required"). */
export interface Problem {
  readonly field: string;
  readonly text: string;
}

type Issue = z.core.$ZodIssue;

/** The source of an input, as messages name it. */
export type InputPart = "body" | "query" | "path" | "headers" | "credentials" | "message";

const MAX_PROBLEMS = 8;
const MAX_FIELD_CHARS = 80;
const MAX_TEXT_CHARS = 240;

/**
 * Parses an input with `schema`. Throws `AppError` validation_failed, which names each invalid field in plain words.
 */
export function parseInput<T extends z.ZodType>(schema: T, input: unknown, part: InputPart): z.output<T> {
  const parsed = schema.safeParse(input, { error: plainEnglish });
  if (parsed.success) return parsed.data;
  throw invalidInput(part, problemsOf(parsed.error.issues, part));
}

/**
 * The error for an invalid input: "Invalid body: name is required.", with `details.fields` by field path, all problems of
 * one field in one text. Its size is bounded, whatever was sent.
 */
export function invalidInput(part: InputPart, problems: readonly Problem[]): AppError {
  const shown = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ field, text }) => ({ field: short(field, MAX_FIELD_CHARS), text: short(text, MAX_TEXT_CHARS) }));
  const left = problems.length - shown.length;
  const sentences = [...shown.map(sentenceOf), ...(left > 0 ? [`and ${left} more`] : [])];
  return new AppError("validation_failed", `Invalid ${part}: ${sentences.join("; ")}.`, {
    details: { fields: Object.fromEntries(textsByField(shown)) },
  });
}

function textsByField(problems: readonly Problem[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { field, text } of problems) {
    const known = texts.get(field);
    texts.set(field, known === undefined ? text : `${known}; ${text}`);
  }
  return texts;
}

/** Flattens issues: a union is judged by the branch that was probably meant. */
export function problemsOf(issues: readonly Issue[], part: InputPart): Problem[] {
  return issues.flatMap((issue) => problemsIn(issue, part));
}

function problemsIn(issue: Issue, part: InputPart): Problem[] {
  const field = issue.path.join(".") || part;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ field: [...issue.path, key].join("."), text: "is not a known field" }));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const meant = branchMeant(issue.errors);
    if (meant) return problemsOf(meant.map(below(issue)), part);
    return [{ field, text: alternatives(issue.errors) }];
  }
  return [{ field, text: issue.message }];
}

/** The branch with the fewest problems among those whose own type matched, or the only one of the type that was sent. */
function branchMeant(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const close = branches.filter((issues) => issues.every(({ path }) => path.length > 0));
  if (close.length > 0) return close.toSorted((one, other) => one.length - other.length)[0];
  const typed = branches.filter((issues) => !issues.some(isTypeMismatch));
  return typed.length === 1 ? typed[0] : undefined;
}

/** Whether the issue says that the whole input is of another type than this branch takes. */
function isTypeMismatch({ path, code }: Issue): boolean {
  return path.length === 0 && ["invalid_type", "invalid_value", "invalid_union"].includes(code);
}

/** "must be a string or a number" */
function alternatives(branches: readonly (readonly Issue[])[]): string {
  const texts = new Set(branches.map(([first]) => first?.message ?? "is not accepted"));
  return [...texts].map((text, i) => (i === 0 ? text : text.replace(/^must be /, ""))).join(" or ");
}

const below =
  ({ path }: Issue) =>
  (issue: Issue): Issue => ({ ...issue, path: [...path, ...issue.path] });

/** A problem as part of a sentence; messages that are not predicates follow a colon. */
export function sentenceOf({ field, text }: Problem): string {
  return /^(is|are|must|has|may|can|cannot|needs?|contains?) /.test(text)
    ? `${field} ${text}`
    : `${field}: ${text}`;
}

function short(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).toWellFormed()}…`;
}
