import type { Column } from "./columns.ts";

/** Rows as CSV for spreadsheets, with a header line. */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map(({ text }) => quoted(String(text(row)))).join(","));
  return `${[columns.map(({ name }) => quoted(name)).join(","), ...lines].join("\r\n")}\r\n`;
}

/** Escapes values that the spreadsheet would take for a formula; a phone number only looks like one. */
export function quoted(value: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(value) && !/^[+-]?\d+(\.\d+)?$/.test(value);
  return `"${(isFormula ? `'${value}` : value).replaceAll('"', '""')}"`;
}
