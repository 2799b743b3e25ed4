/** All zones of the world begin their days with a quarter of an hour. */
export const QUARTER_MS = 900_000;

/** When the quarter of an hour began in which a call was made, as ISO 8601. */
export function quarterOf(createdAt: Date): string {
  return new Date(Math.floor(createdAt.getTime() / QUARTER_MS) * QUARTER_MS).toISOString();
}

/** One row a key, in the order of the keys. */
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
