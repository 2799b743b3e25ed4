/** In JSON text: a NUL, or half of a surrogate pair. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** The value without what Postgres cannot keep in a jsonb: each such character becomes U+FFFD. */
export function storable(value: unknown): unknown {
  const text = JSON.stringify(value) ?? "null";
  const clean = text.replace(UNSTORABLE, "$1\uFFFD");
  return clean === text ? value : JSON.parse(clean);
}
