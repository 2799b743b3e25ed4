import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { readPrices } from "../prices/store.ts";
import { lockAccount } from "../wallet/account-store.ts";
import { chargeUsage } from "../wallet/charge.ts";
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

/**
 * Writes usage of messages and apps at its prices, and charges it if billing `isOn`. Locks the account first, as changes of
 * a plan and invoices do, which then mark the sums of days: in the other order, both would wait for each other.
 */
export async function chargeMeasured(
  trx: Kysely<Tables>,
  lines: readonly Measured[],
  by: UsedBy,
  { isOn, now }: { readonly isOn: boolean; readonly now: Date },
): Promise<void> {
  if (isOn) await lockAccount(trx, by.orgId, now);
  const used = await insertMeasured(trx, lines, by);
  if (isOn) await chargeUsage(trx, { used, ended: [], now });
}
