import { z } from "zod";
import type { Actions } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { read } from "../read.ts";
import { valuesUrl } from "./ranges.ts";

const MAX_ROWS = 100;
const MAX_CELL_CHARS = 10_000;

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const values = z.object({ values: z.array(z.array(text)).default([]) });
const appended = z.object({ updates: z.object({ updatedRange: z.string() }) });

type Cell = string | number | boolean | null;

export const actions: Actions = {
  "row.query": async ({ name, params }, context) => {
    const { body } = await context.vendor.send({
      url: valuesUrl(context, name),
      query: { majorDimension: "ROWS" },
    });
    const [columns = [], ...rows] = read(values, body).values;
    const wanted = Object.entries(params).map(([column, value]) => ({
      index: indexOf(column, columns),
      value,
    }));
    const found = rows.filter((row) => wanted.every(({ index, value }) => isSame(row[index], value)));
    // Google omits empty cells at the end of a row.
    const shown = found.slice(0, MAX_ROWS).map((row) => columns.map((_, index) => cut(row[index] ?? "")));
    return { columns, rows: shown, truncated: found.length > MAX_ROWS };
  },
  "row.append": async ({ name, values: cells }, context) => {
    const { body } = await context.vendor.send({
      method: "POST",
      url: `${valuesUrl(context, name)}:append`,
      // RAW: a text that begins with = must not become a formula.
      query: { valueInputOption: "RAW", insertDataOption: "INSERT_ROWS" },
      json: { majorDimension: "ROWS", values: [cells.map((cell) => cell ?? "")] },
    });
    return { range: read(appended, body).updates.updatedRange };
  },
};

/** Throws `VendorError` rejected, listing the columns. */
function indexOf(column: string, columns: readonly string[]): number {
  const index = columns.findIndex((known) => plain(known) === plain(column));
  if (index >= 0) return index;
  throw new VendorError("rejected", `There is no column ${column}. There are: ${columns.join(", ")}.`);
}

function isSame(cell: string | undefined, value: Cell): boolean {
  return plain(cell ?? "") === plain(String(value ?? ""));
}

function plain(value: string): string {
  return value.trim().toLowerCase();
}

function cut(value: string): string {
  return value.slice(0, MAX_CELL_CHARS).toWellFormed();
}
