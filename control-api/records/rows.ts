import { type RawBuilder, sql } from "kysely";

/** The last row of each key: a statement must not write a row twice. */
export function lastOf<R>(rows: readonly R[], keyOf: (row: R) => string): R[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

/** Rows as a table `told` in a statement. */
export function recordset<R>(rows: readonly object[], columns: RawBuilder<unknown>) {
  return sql<R>`json_to_recordset(${JSON.stringify(rows)}::json)`.as<"told">(sql`told(${columns})`);
}
