import type { Mapping } from "@parley/shared/contracts/campaigns.ts";
import type { RefusedRow } from "@parley/shared/contracts/do-not-call.ts";
import { cutText } from "@parley/shared/contracts/storable.ts";
import {
  phoneColumnOf,
  tableFault,
  variableOf,
  zoneColumnOf,
} from "@parley/shared/contracts/target-table.ts";
import { AppError } from "@parley/shared/errors.ts";
import { readPhone } from "../phones.ts";
import { isTimeZone, zoneOfPhone } from "../zones.ts";

/** Values of a row by column name. */
export type Row = Readonly<Record<string, unknown>>;

export interface NewTarget {
  /** 1-based, as people count rows below the header. */
  readonly row: number;
  readonly phone: string;
  readonly zone: string;
  readonly variables: Record<string, string>;
}

export interface ReadRows {
  readonly targets: readonly NewTarget[];
  readonly refused: readonly RefusedRow[];
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const MAX_VARIABLES = 90;
const SHOWN_CHARS = 64;
const VALUE_CHARS = 4_000;

/** Reads rows with the given mapping. Throws `AppError` bad_request if a column is missing or none holds numbers. */
export function readRows(rows: readonly Row[], mapping: Mapping): ReadRows {
  const columns = columnsOf(rows, mapping);
  const targets: NewTarget[] = [];
  const refused: RefusedRow[] = [];
  for (const [i, row] of rows.entries()) {
    const read = readRow(row, columns);
    if (typeof read !== "string") targets.push({ row: i + 1, ...read });
    else refused.push({ row: i + 1, value: cutText(textOf(row[columns.phone]), SHOWN_CHARS), why: read });
  }
  return { targets, refused };
}

/**
 * Turns a table with a header row into rows. The first has every column, the others those that they reach: rows that
 * end early cost what they hold, not what the header names. Throws `AppError` bad_request.
 */
export function rowsOfTable(table: readonly (readonly string[])[]): Row[] {
  const fault = tableFault(table);
  if (fault !== undefined) throw new AppError("bad_request", fault);
  const [names = [], ...values] = table;
  return values.map((row, nr) => {
    const reached = nr === 0 ? names : names.slice(0, row.length);
    return Object.fromEntries(reached.flatMap((name, i) => (name === "" ? [] : [[name, row[i] ?? ""]])));
  });
}

interface Columns {
  readonly phone: string;
  readonly zone: string | undefined;
  /** Variable name by column. */
  readonly variables: ReadonlyMap<string, string>;
}

function columnsOf(rows: readonly Row[], mapping: Mapping): Columns {
  const all = new Set(rows.flatMap((row) => Object.keys(row)));
  const names = [...all];
  const phone = mapping.phone ?? phoneColumnOf(names);
  if (phone === undefined)
    throw new AppError(
      "bad_request",
      "No column is named phone. Set mapping.phone to the column that has the numbers.",
    );
  const zone = mapping.timezone ?? zoneColumnOf(names);
  const chosen = Object.entries(mapping.variables ?? {}).map(
    ([variable, column]) => [column, variable] as const,
  );
  const others = names
    .filter((name) => name !== phone && name !== zone)
    .map((name) => [name, variableOf(name)] as const);
  if (mapping.variables === undefined) assertDistinct(others);
  if (chosen.length > MAX_VARIABLES)
    throw new AppError("bad_request", `mapping.variables names at most ${MAX_VARIABLES} columns.`);
  const variables = new Map(mapping.variables ? chosen : others.slice(0, MAX_VARIABLES));
  const missing = [phone, ...(zone === undefined ? [] : [zone]), ...variables.keys()].find(
    (column) => !all.has(column),
  );
  if (missing !== undefined) throw new AppError("bad_request", `There is no column "${missing}".`);
  const bad = [...variables.values()].find((variable) => !VARIABLE.test(variable));
  if (bad === undefined) return { phone, zone, variables };
  throw new AppError(
    "bad_request",
    `"${bad}" is not a valid variable name. Use letters, digits and _, up to 64 of them.`,
  );
}

/** Throws `AppError` bad_request if two columns would become the same variable, and one be lost. */
function assertDistinct(columns: readonly (readonly [column: string, variable: string])[]): void {
  const seen = new Map<string, string>();
  for (const [column, variable] of columns) {
    const other = seen.get(variable);
    if (other !== undefined)
      throw new AppError(
        "bad_request",
        `The columns "${other}" and "${column}" would both become the variable ${variable}; rename one of them.`,
      );
    seen.set(variable, column);
  }
}

/** Returns the target, or why the row is refused. */
function readRow(
  row: Row,
  { phone: column, zone: zoneColumn, variables }: Columns,
): Omit<NewTarget, "row"> | string {
  const phone = readPhone(textOf(row[column]));
  if (phone === undefined) return "not a number with + and its country, as in +12025550123";
  const given = zoneColumn === undefined ? "" : textOf(row[zoneColumn]).trim();
  if (given !== "" && !isTimeZone(given)) return `there is no time zone "${cutText(given, SHOWN_CHARS)}"`;
  const zone = given === "" ? zoneOfPhone(phone) : given;
  if (zone === undefined) return "no country has this number; give its time zone in a column timezone";
  const values = [...variables].map(([name, variable]) => [
    variable,
    cutText(textOf(row[name]), VALUE_CHARS),
  ]);
  return { phone, zone, variables: Object.fromEntries(values.filter(([, value]) => value !== "")) };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
