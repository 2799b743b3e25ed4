const REPLACEMENT = "\uFFFD";
/** Far deeper than anything people read; Postgres and `JSON.stringify` fail at some thousands. */
export const MAX_DEPTH = 64;

/** Makes text storable: Postgres stores neither a NUL nor a lone surrogate; each becomes U+FFFD. */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", REPLACEMENT) : whole;
}

/** The first `maxChars` characters of a text, or one less than to keep half of a surrogate pair, which no JSON column stores. */
export function cutText(text: string, maxChars: number): string {
  const cut = text.slice(0, maxChars);
  return cut.length < text.length && /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/**
 * Makes a JSON value storable: applies `storableText` to its texts and keys, and replaces what is nested too deep
 * with null.
 */
export function storable(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item: unknown) => storable(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [storableText(name), storable(item, depth + 1)]),
  );
}
