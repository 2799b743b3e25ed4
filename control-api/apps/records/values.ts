import { NUMERIC_TEXT } from "@parley/platform/methods/storable.ts";

/** Texts are ordered by their first 256 characters. */
export const INDEXED_CHARS = 256;
const MAX_VALUES = 64;
const MAX_DEPTH = 5;
const FIELD = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A scalar of a record, as `app_record_values` stores it. */
export interface IndexedValue {
  /** Field. */
  readonly f: string;
  /** Kind: s text, n number, b boolean. */
  readonly k: "s" | "n" | "b";
  readonly t: string;
  readonly n: number | null;
}

/** The values that queries and orders use. Beyond 64, fields of a record are found without an index only. */
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
    const isNumber = NUMERIC_TEXT.test(value);
    return { f, k: "s", t: indexedText(value), n: isNumber ? Number(value) : null };
  }
  if (typeof value === "number") return { f, k: "n", t: indexedText(String(value)), n: value };
  if (typeof value === "boolean") return { f, k: "b", t: String(value), n: null };
  return undefined;
}

/** The indexed part of a text; never splits a surrogate pair. */
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
