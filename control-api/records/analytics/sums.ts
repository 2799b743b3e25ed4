/** Measures of calls that are counted by word: how they ended, were handled and were judged. */
export type Measure =
  | "end_reason"
  | "interruption"
  | "tool"
  | "tool_failure"
  | "sentiment"
  | "disposition"
  | "topic"
  | "qa_met"
  | "qa_missed";

/** In every time zone, days begin on a quarter hour. */
export const QUARTER_MS = 900_000;
/** Roll-ups cover UTC days. */
export const DAY_MS = 86_400_000;

/** Start of the quarter hour in which a call was made, as ISO 8601. */
export function quarterOf(createdAt: Date): string {
  return new Date(Math.floor(createdAt.getTime() / QUARTER_MS) * QUARTER_MS).toISOString();
}

/** One row per key, in key order. */
export function summed<R>(
  rows: readonly R[],
  keyOf: (row: R) => readonly string[],
  add: (one: R, other: R) => R,
): R[] {
  const byKey = new Map<string, R>();
  for (const row of rows) {
    const key = JSON.stringify(keyOf(row));
    const before = byKey.get(key);
    byKey.set(key, before === undefined ? row : add(before, row));
  }
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
