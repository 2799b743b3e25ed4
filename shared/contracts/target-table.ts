/**
 * How a table of people is read: which delimiter a CSV file has, and what becomes of each column. The API and the page
 * that shows it beforehand agree by this file.
 */

const DELIMITERS = [",", ";", "\t"];
const PHONE_COLUMNS = ["phone", "phone_number", "phonenumber", "number", "to", "mobile", "telephone", "tel"];
const ZONE_COLUMNS = ["timezone", "time_zone", "tz"];
const MAX_NAME_CHARS = 64;
/** What spreadsheets write above the header to name the delimiter. */
const SEP_LINE = /^\uFEFF?sep=(.)\r?\n/i;

/** The text without a `sep=;` line, and its delimiter: the candidate that occurs most often in the header. */
export function delimitedBy(text: string): { readonly text: string; readonly delimiter: string } {
  const named = SEP_LINE.exec(text);
  if (named) return { text: text.slice(named[0].length), delimiter: named[1] ?? "," };
  const counts = new Map(DELIMITERS.map((each) => [each, 0]));
  let isQuoted = false;
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (char === "\n" || char === "\r") break;
    const count = counts.get(char);
    if (count !== undefined) counts.set(char, count + 1);
  }
  const [best = [",", 0]] = [...counts].toSorted(([, one], [, other]) => other - one);
  return { text, delimiter: best[0] };
}

/** What a column's name becomes as a variable: `First name` is `First_name`. */
export function variableOf(column: string): string {
  const name = column.trim().replace(/\W+/g, "_").slice(0, MAX_NAME_CHARS);
  return /^\d/.test(name) ? `_${name}`.slice(0, MAX_NAME_CHARS) : name;
}

/** The column that has the numbers, by its name. */
export function phoneColumnOf(names: readonly string[]): string | undefined {
  return named(names, PHONE_COLUMNS);
}

/** The column that has the time zones, by its name. */
export function zoneColumnOf(names: readonly string[]): string | undefined {
  return named(names, ZONE_COLUMNS);
}

function named(names: readonly string[], known: readonly string[]): string | undefined {
  return names.find((name) => known.includes(variableOf(name).toLowerCase()));
}

/** Why a table cannot be read; undefined if it can. Columns without a name are left out, whatever they hold. */
export function tableFault(table: readonly (readonly string[])[]): string | undefined {
  const [names = [], ...rows] = table;
  if (rows.length === 0) return "The table needs the names of its columns, and at least one row.";
  const seen = new Set<string>();
  const twice = names.find((name) => name !== "" && seen.size === seen.add(name).size);
  if (twice !== undefined) return `Two columns are named "${twice}"; rename or delete one of them.`;
  const wide = rows.findIndex((row) => row.slice(names.length).some((value) => value !== ""));
  if (wide === -1) return undefined;
  return `Row ${wide + 1} has ${rows[wide]?.length} values, but there are ${names.length} columns; put quotes around values that contain the delimiter.`;
}
