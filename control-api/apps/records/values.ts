import { RECORD_LIMITS } from "@parley/platform/methods/limits.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";

/** More of a text is not told apart when records are put in order. */
export const INDEXED_CHARS = 256;
const MAX_VALUES = 64;
const MAX_DEPTH = 5;
const FIELD = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NUMBER = /^-?\d{1,200}(\.\d{1,200})?$/;

/** A plain value of a record, as `app_record_values` has it. */
export interface IndexedValue {
  /** Field. */
  readonly f: string;
  /** Kind: s text, n number, b boolean. */
  readonly k: "s" | "n" | "b";
  readonly t: string;
  readonly n: number | null;
}

/** The data as JSON, when it may be kept. Throws `BridgeError` too_large, invalid_arguments. */
export function storableJson(data: Readonly<Record<string, unknown>>): { json: string; bytes: number } {
  assertStorable(data, 0);
  const json = JSON.stringify(data);
  const bytes = Buffer.byteLength(json);
  if (bytes > RECORD_LIMITS.recordBytes)
    throw new BridgeError(
      "too_large",
      `A record may have ${RECORD_LIMITS.recordBytes} bytes; this one has ${bytes}.`,
    );
  return { json, bytes };
}

function assertStorable(value: unknown, depth: number): void {
  if (typeof value === "string") assertText(value);
  if (typeof value !== "object" || value === null) return;
  if (depth >= RECORD_LIMITS.depth)
    throw new BridgeError(
      "invalid_arguments",
      `data may have objects and lists ${RECORD_LIMITS.depth} deep.`,
    );
  for (const [key, one] of Object.entries(value)) {
    assertText(key);
    assertStorable(one, depth + 1);
  }
}

function assertText(text: string): void {
  if (text.includes("\0") || !text.isWellFormed())
    throw new BridgeError(
      "invalid_arguments",
      "data has a text with NUL or half a character, which cannot be kept.",
    );
}

/** What queries and orders go by. Past 64 values a record has fields that are found without an index only. */
export function indexedValues(data: Readonly<Record<string, unknown>>): IndexedValue[] {
  const found: IndexedValue[] = [];
  collect(data, "", 1, found);
  return found.slice(0, MAX_VALUES);
}

function collect(
  data: Readonly<Record<string, unknown>>,
  prefix: string,
  depth: number,
  found: IndexedValue[],
): void {
  for (const [name, value] of Object.entries(data)) {
    if (!FIELD.test(name)) continue;
    const field = prefix + name;
    const one = indexedValue(field, value);
    if (one) found.push(one);
    else if (isObject(value) && depth < MAX_DEPTH) collect(value, `${field}.`, depth + 1, found);
  }
}

function indexedValue(f: string, value: unknown): IndexedValue | undefined {
  if (typeof value === "string") {
    const isNumber = NUMBER.test(value);
    return { f, k: "s", t: indexedText(value), n: isNumber ? Number(value) : null };
  }
  if (typeof value === "number") return { f, k: "n", t: indexedText(String(value)), n: value };
  if (typeof value === "boolean") return { f, k: "b", t: String(value), n: null };
  return undefined;
}

/** What of a text is in the index; a character of two halves is not cut. */
export function indexedText(text: string): string {
  return [...text.slice(0, INDEXED_CHARS + 1)].slice(0, INDEXED_CHARS).join("");
}

/** The words of a record, for searches. */
export function wordsOf(data: unknown): string {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === "string" || typeof value === "number") texts.push(String(value));
    else if (typeof value === "object" && value !== null) for (const one of Object.values(value)) walk(one);
  };
  walk(data);
  return texts.join(" ");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
