import type { VendorAnswer, VendorProblem } from "./vendor.ts";

const MAX_WORDS = 300;
const DEFAULT_RETRY_AFTER_SECS = 5;
const MAX_DEPTH = 3;

/** Fields of vendors' error messages, in order of preference. */
const WORD_KEYS = [
  "message",
  "error_description",
  "detail",
  "description",
  "title",
  "error",
  "errors",
  "code",
];

/** The problem for a status of 400 or above, unless the vendor's own words say more. */
export function problemOf(status: number): VendorProblem {
  if (status === 401) return "unauthorized";
  if (status === 402 || status === 403) return "denied";
  if (status === 404 || status === 410) return "not_found";
  if (status === 429) return "rate_limited";
  return status < 500 ? "rejected" : "failed";
}

/** A vendor's error message in one line; undefined when there is none. */
export function wordsOf(body: unknown, depth = 0): string | undefined {
  if (typeof body === "string") return readable(body);
  if (depth >= MAX_DEPTH || typeof body !== "object" || body === null) return undefined;
  if (Array.isArray(body)) return wordsOf(body[0], depth + 1);
  const known = body as Record<string, unknown>;
  for (const key of WORD_KEYS) {
    const words = known[key] === undefined ? undefined : wordsOf(known[key], depth + 1);
    if (words !== undefined) return words;
  }
  return undefined;
}

/** One line without control characters; undefined when nothing is left. */
export function readable(words: string): string | undefined {
  const line = words
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_WORDS)
    .toWellFormed();
  return line === "" ? undefined : line;
}

/** `Retry-After`: seconds or a date. */
export function retryAfterOf({ headers }: Pick<VendorAnswer, "headers">, nowMs: number): number {
  const value = headers["retry-after"];
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  if (text === undefined) return DEFAULT_RETRY_AFTER_SECS;
  if (/^\d{1,6}(\.\d+)?$/.test(text)) return Math.max(1, Math.ceil(Number(text)));
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? DEFAULT_RETRY_AFTER_SECS : Math.max(1, Math.ceil((atMs - nowMs) / 1_000));
}

/** Whether an answer is a web page for people. */
export function isPage(type: string | string[] | undefined, body: Buffer): boolean {
  const named = Array.isArray(type) ? type[0] : type;
  return (
    /^text\/html|^application\/xhtml/i.test(named ?? "") ||
    /^\s*<(!doctype|html|head|body)/i.test(body.toString("utf8", 0, 200))
  );
}
