import type { DncAdded, RefusedRow } from "@parley/shared/contracts/do-not-call.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { readPhone } from "../phones.ts";
import { readCsv } from "../read-csv.ts";
import { insertNumbers, type NewDncNumbers } from "./store.ts";

/** Refused rows shown in a response. */
export const SHOWN_REFUSED = 100;
const NOT_E164 = "not a number with + and its country, as in +12025550123";

/** Adds the values that are valid numbers. */
export async function addNumbers(
  db: Kysely<Tables>,
  values: readonly string[],
  about: Omit<NewDncNumbers, "numbers">,
): Promise<DncAdded> {
  const numbers = new Set<string>();
  const refused: RefusedRow[] = [];
  for (const [i, value] of values.entries()) {
    const number = readPhone(value);
    if (number === undefined) refused.push({ row: i + 1, value: value.slice(0, 64), why: NOT_E164 });
    else numbers.add(number);
  }
  const added = await db
    .transaction()
    .execute((trx) => insertNumbers(trx, { ...about, numbers: [...numbers] }));
  const duplicates = values.length - refused.length - added;
  return { added, duplicates, refused: refused.slice(0, SHOWN_REFUSED), refusedTotal: refused.length };
}

/** Reads the numbers from the first CSV column that has any. Throws `AppError` bad_request. */
export function numbersIn(csv: string): string[] {
  const rows = readCsv(csv);
  const [first = []] = rows;
  const hasNames = first.every((value) => readPhone(value) === undefined);
  const values = hasNames ? rows.slice(1) : rows;
  const sample = values.find((row) => row.some((value) => readPhone(value) !== undefined)) ?? [];
  const column = Math.max(
    0,
    sample.findIndex((value) => readPhone(value) !== undefined),
  );
  return values.map((row) => row[column] ?? "");
}
