/** An error blocks publishing; a warning is shown to whoever publishes or installs the bundle. */
export type Severity = "error" | "warning";

/** What can be wrong with a bundle. Codes are public: a code never changes its meaning. */
export const PROBLEM_CODES = {
  MANIFEST_MISSING: "error",
  MANIFEST_INVALID: "error",
  ENTRY_MISSING: "error",
  STYLES_MISSING: "error",
  FILE_REFUSED: "error",
  BUNDLE_TOO_LARGE: "error",
  SCRIPT_UNREADABLE: "error",
  PAGE_DUPLICATE: "error",
  PAGE_UNKNOWN: "error",
  CONTRIBUTION_DUPLICATE: "error",
  CONTRIBUTION_PAGE_MISSING: "error",
  SETTING_DUPLICATE: "error",
  SETTING_DEFAULT_INVALID: "error",
  TEMPLATE_DUPLICATE: "error",
  TEMPLATE_UNKNOWN: "error",
  HOST_UNKNOWN: "error",
  CONTRIBUTION_UNRENDERED: "warning",
  STYLES_UNDECLARED: "warning",
  SCOPE_UNUSED: "warning",
  SCOPE_MISSING: "warning",
  METHOD_UNKNOWN: "warning",
  HOST_NOT_LISTED: "warning",
  SECRET_UNKNOWN: "warning",
  EVAL_USED: "warning",
  REMOTE_SCRIPT: "warning",
  REMOTE_RESOURCE: "warning",
  NETWORK_BLOCKED: "warning",
  POPUP_USED: "warning",
} as const satisfies Readonly<Record<string, Severity>>;
export type ProblemCode = keyof typeof PROBLEM_CODES;

export interface Problem {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** What to change. */
  readonly message: string;
  /** Path within the bundle. */
  readonly file?: string;
  /** Counts from 1. */
  readonly line?: number;
  /** Counts from 1. */
  readonly column?: number;
}

export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

export function problem(code: ProblemCode, message: string, place: Place = {}): Problem {
  return { code, severity: PROBLEM_CODES[code], message, ...place };
}

/** A problem as terminals show it: where it is, and what to change. */
export function lineOf({ severity, code, message, file, line, column }: Problem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return `${place === "" ? "" : `${place}  `}${severity} ${code}  ${message}`;
}
