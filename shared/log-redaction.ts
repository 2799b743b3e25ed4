import { callEventSchema } from "./contracts/call-events.ts";
import { contentFields } from "./contracts/content/fields.ts";
import { streamFrameSchema } from "./contracts/stream-frames.ts";

const CENSORED = "[redacted]";
/** Maximum nesting; deeper values are omitted, because a log line is not a dump. */
const MAX_DEPTH = 6;

/** Keys are compared without case, dashes, and underscores: `X-API-Key` is `xapikey`. */
const SECRET_ENDINGS =
  /(authorization|apikey|cookie|ticket|token|secret|secretkey|accesskey|privatekey|pem|password|passwordhash)$/;

/** Fields of calls' messages whose mark in the contracts makes them content. */
const CONTENT_KEYS = [...callEventSchema.options, ...streamFrameSchema.options]
  .flatMap((schema) => contentFields(schema))
  .filter(({ mark }) => mark !== "plain")
  .map(({ path }) => comparable(path.findLast((name) => name !== "[]") ?? ""));

/** What people say, their names, and how to reach them. */
const PERSONAL_KEYS = new Set([
  ...CONTENT_KEYS,
  ...["text", "transcript", "query", "variables", "identifier", "email", "phone", "digits"],
  ...["fromnumber", "tonumber"],
]);

/** Secrets inside text: a ticket in a URL, a password in an address, a bearer token. */
const SECRETS_IN_TEXT: readonly (readonly [RegExp, string])[] = [
  [/([?&](?:ticket|token|key|api_key|secret)=)[^&\s"']+/gi, `$1${CENSORED}`],
  [/(\/v1\/media\/[^/\s"']+\/[^/\s"']+\/)[^\s"'?]+/g, `$1${CENSORED}`],
  [/(:\/\/)[^\s/@"']+@/g, `$1${CENSORED}@`],
  [/(\bBearer\s+)[\w.~+/-]+=*/gi, `$1${CENSORED}`],
];

/** Removes secrets and personal data from the fields of a log line, at any depth. */
export function redactFields(fields: Readonly<Record<string, unknown>>, depth = 0): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    clean[key] = isHidden(key) ? CENSORED : redact(value, depth + 1);
  }
  return clean;
}

function isHidden(key: string): boolean {
  const plain = comparable(key);
  return PERSONAL_KEYS.has(plain) || SECRET_ENDINGS.test(plain);
}

function comparable(key: string): string {
  return key.replace(/[-_]/g, "").toLowerCase();
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth > MAX_DEPTH) return "[left out]";
  if (value instanceof Error) return describeError(value, depth);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return redactFields(value as Record<string, unknown>, depth);
}

function redactText(text: string): string {
  return SECRETS_IN_TEXT.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), text);
}

/**
 * The fields that help to find a fault. Other fields of an error are omitted: HTTP clients keep whole requests there.
 */
function describeError(error: Error, depth: number): Record<string, unknown> {
  const code: unknown = Reflect.get(error, "code");
  return {
    type: error.name,
    message: redactText(error.message),
    ...(typeof code === "string" ? { code } : {}),
    stack: redactText(error.stack ?? ""),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  };
}
