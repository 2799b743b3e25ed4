import {
  delimitedBy,
  phoneColumnOf,
  tableFault,
  variableOf,
  zoneColumnOf,
} from "@parley/shared/contracts/target-table.ts";
import { parse } from "csv-parse/browser/esm/sync";
import { InputError } from "../../api/api-error.ts";

/** A campaign's largest list, with long rows. */
const MAX_FILE_BYTES = 25 * 1_048_576;
const MIB = 1_048_576;
const MAX_ROWS = 100_000;

/** A table with its named columns; cells by column. */
export interface Table {
  readonly names: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** What a column is used as. */
export type Use = "phone" | "timezone" | "variable" | "none";

/** The text of a file, in whichever encoding a spreadsheet wrote it. Throws an error in words. */
export async function textOfFile(file: File): Promise<string> {
  if (file.size > MAX_FILE_BYTES) {
    const [size, most] = [file.size, MAX_FILE_BYTES].map((bytes) => Math.round(bytes / MIB));
    throw new InputError(
      `The file has ${size} MB; at most ${most} MB are read. Split it into several files.`,
    );
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Reads CSV as the API does. Throws an error in words. */
export function readTable(given: string): Table {
  const { text, delimiter } = delimitedBy(given);
  const table = parsed(text, delimiter);
  const fault = tableFault(table);
  if (fault !== undefined) throw new InputError(fault);
  const [names = [], ...values] = table;
  if (values.length > MAX_ROWS)
    throw new InputError(`The table has ${values.length} rows; a campaign takes at most ${MAX_ROWS}.`);
  const rows = values.map((row) =>
    Object.fromEntries(names.flatMap((name, i) => (name === "" ? [] : [[name, row[i] ?? ""]]))),
  );
  return { names: names.filter((name) => name !== ""), rows };
}

function parsed(text: string, delimiter: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new InputError(`The table cannot be read: ${why}`, { cause: error });
  }
}

/** What each column is used as unless somebody says otherwise. */
export function usualUses(names: readonly string[]): Record<string, Use> {
  const [phone, zone] = [phoneColumnOf(names), zoneColumnOf(names)];
  return Object.fromEntries(
    names.map((name): [string, Use] => {
      if (name === phone) return [name, "phone"];
      return [name, name === zone ? "timezone" : "variable"];
    }),
  );
}

/** The mapping that the API takes, for columns used so. */
export function mappingOf(uses: Readonly<Record<string, Use>>): {
  readonly phone?: string;
  readonly timezone?: string;
  readonly variables: Readonly<Record<string, string>>;
} {
  const used = (use: Use) => Object.keys(uses).filter((name) => uses[name] === use);
  const [phone] = used("phone");
  const [timezone] = used("timezone");
  return {
    ...(phone === undefined ? {} : { phone }),
    ...(timezone === undefined ? {} : { timezone }),
    variables: Object.fromEntries(used("variable").map((name) => [variableOf(name), name])),
  };
}
