import { delimitedBy } from "@parley/shared/contracts/target-table.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import { parse } from "csv-parse/sync";

const MAX_CSV_ROWS = 20_000;
/** What is read of a table grows with its columns times its rows. */
const MAX_CSV_COLUMNS = 1_000;

/** Parses the rows of a CSV. Throws `AppError` bad_request. */
export function readCsv(text: string): string[][] {
  const rows = parsed(text);
  if (rows.length > MAX_CSV_ROWS + 1)
    throw new AppError("bad_request", `The table has more than ${MAX_CSV_ROWS} rows. Split it into parts.`);
  if (rows.some((row) => row.length > MAX_CSV_COLUMNS))
    throw new AppError(
      "bad_request",
      `The table has more than ${MAX_CSV_COLUMNS} columns. Delete some of them.`,
    );
  return rows;
}

function parsed(given: string): string[][] {
  const { text, delimiter } = delimitedBy(given);
  try {
    return parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      // Spreadsheets export the blank rows below a table, too.
      skip_records_with_empty_values: true,
      trim: true,
    });
  } catch (error) {
    throw new AppError("bad_request", `The table cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
