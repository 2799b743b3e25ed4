import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { readPrices } from "../prices/store.ts";
import type { Measured } from "./measure.ts";
import { toUsageRow, type UsedBy } from "./usage-row.ts";
import { insertUsage, type UsageRow } from "./usage-store.ts";

/** Writes usage at its prices, and returns the rows that are new. */
export async function insertMeasured(
  trx: Kysely<Tables>,
  lines: readonly Measured[],
  by: UsedBy,
): Promise<UsageRow[]> {
  const measured = lines.filter(({ quantity }) => quantity > 0n);
  if (measured.length === 0) return [];
  const prices = await readPrices(trx, [by.orgId]);
  return insertUsage(
    trx,
    measured.map((line) => toUsageRow(line, by, prices)),
  );
}
