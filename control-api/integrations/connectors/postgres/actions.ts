import type { ResultOf } from "../../capabilities/all.ts";
import type { Actions } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { type NamedQuery, readQueries } from "./queries.ts";
import { inReadOnly } from "./transaction.ts";

type Cell = ResultOf<"row.query">["rows"][number][number];

const MAX_ROWS = 100;
const MAX_CELL_CHARS = 10_000;
/** Type OIDs, equal on every server. */
const BOOL = 16;
const NUMBERS = new Set([20, 21, 23, 700, 701]);

export const actions: Actions = {
  "row.query": async ({ name, params }, context) => {
    const query = named(readQueries(context.settings.queries ?? ""), name);
    const values = valuesOf(query, params);
    return inReadOnly(context, async (run) => {
      const { fields, rows } = await run(bounded(query), values);
      const types = fields.map(({ dataTypeID }) => dataTypeID);
      const given = rows.slice(0, MAX_ROWS);
      const isCut = given.some((row) => row.some((text) => (text?.length ?? 0) > MAX_CELL_CHARS));
      return {
        columns: fields.map((field) => field.name),
        rows: given.map((row) => row.map((text, index) => cellOf(text, types[index] ?? 0))),
        truncated: isCut || rows.length > MAX_ROWS,
      };
    });
  },
};

/** Limits the query to one row more than is returned. Newlines, as its last line may be a comment. */
export function bounded({ text }: NamedQuery): string {
  return `SELECT * FROM (\n${text}\n) AS "query" LIMIT ${MAX_ROWS + 1}`;
}

function named(queries: readonly NamedQuery[], name: string): NamedQuery {
  const query = queries.find((known) => known.name === name);
  if (query) return query;
  const names = queries.map((known) => known.name).join(", ");
  throw new VendorError("rejected", `There is no query ${name}; there are: ${names}.`);
}

function valuesOf({ name, parameters }: NamedQuery, params: Readonly<Record<string, Cell>>): Cell[] {
  const isFitting =
    Object.keys(params).every((key) => parameters.includes(key)) &&
    parameters.every((key) => Object.hasOwn(params, key));
  if (isFitting) return parameters.map((key) => params[key] ?? null);
  const takes = parameters.length === 0 ? "no parameters" : `these parameters: ${parameters.join(", ")}`;
  throw new VendorError("rejected", `The query ${name} takes ${takes}.`);
}

/** Numbers only if exact; every other type as Postgres writes it. */
function cellOf(text: string | null, type: number): Cell {
  if (text === null) return null;
  if (type === BOOL) return text === "t";
  const number = Number(text);
  const isExact = Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER;
  if (NUMBERS.has(type) && isExact) return number;
  return text.slice(0, MAX_CELL_CHARS).toWellFormed();
}
