const REPLACEMENT = "\uFFFD";
/** Far deeper than anything a person reads; Postgres and `JSON.stringify` give up at some thousands. */
const MAX_DEPTH = 64;

/** Text as it can be kept: Postgres stores neither a NUL nor half of a surrogate pair; each becomes U+FFFD. */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", REPLACEMENT) : whole;
}

/** A JSON value as it can be kept: its texts and names as `storableText` has them; what is nested too deep is null. */
export function storable(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item: unknown) => storable(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [storableText(name), storable(item, depth + 1)]),
  );
}
