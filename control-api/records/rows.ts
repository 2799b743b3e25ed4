import { type RawBuilder, sql } from "kysely";

/** The last row of each key: a statement must not write a row twice. */
export function lastOf<R>(rows: readonly R[], keyOf: (row: R) => string): R[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

/** The first row of each key. */
export function firstOf<R>(rows: readonly R[], keyOf: (row: R) => string): R[] {
  const first = new Map<string, R>();
  for (const row of rows) if (!first.has(keyOf(row))) first.set(keyOf(row), row);
  return [...first.values()];
}

/** Rows as a table `told` in a statement. */
export function recordset<R>(rows: readonly object[], columns: RawBuilder<unknown>) {
  return sql<R>`json_to_recordset(${JSON.stringify(rows)}::json)`.as<"told">(sql`told(${columns})`);
}
