import { AppError, messageOf } from "@parley/shared/errors.ts";
import { parse } from "csv-parse/sync";

const DELIMITERS = [",", ";", "\t"];
const MAX_CSV_ROWS = 20_000;

/** Parses the rows of a CSV. Throws `AppError` bad_request. */
export function readCsv(text: string): string[][] {
  const rows = parsed(text);
  if (rows.length > MAX_CSV_ROWS + 1)
    throw new AppError("bad_request", `The table has more than ${MAX_CSV_ROWS} rows; send it in parts.`);
  return rows;
}

function parsed(text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    throw new AppError("bad_request", `The table cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** The candidate that occurs most often in the first line. */
function delimiterOf(text: string): string {
  const [first = ""] = text.split("\n", 1);
  const counted = DELIMITERS.map((each) => ({ each, count: first.split(each).length }));
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).each;
}
