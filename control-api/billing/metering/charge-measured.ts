import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { readPrices } from "../prices/store.ts";
import { lockAccounts } from "../wallet/account-store.ts";
import { settleCall } from "../wallet/billed-calls.ts";
import { chargeUsage } from "../wallet/charge.ts";
import type { Measured } from "./measure.ts";
import { toUsageRow, type UsedBy } from "./usage-row.ts";
import { insertUsage, type UsageRow } from "./usage-store.ts";

type Trx = Kysely<Tables>;

export interface Charging {
  /** Whether billing is on. */
  readonly isOn: boolean;
  readonly now: Date;
  /** A session that is over with this: what is left of its hold is returned. */
  readonly ends?: string;
}

/**
 * Writes usage at its prices, and charges it if billing is on. Locks the account first, as changes of a plan and
 * invoices do, which then mark the sums of days: in the other order, both would wait for each other.
 */
export async function chargeMeasured(
  trx: Trx,
  lines: readonly Measured[],
  by: UsedBy,
  { isOn, now, ends }: Charging,
): Promise<void> {
  const { orgId } = by;
  const accounts = isOn ? await lockAccounts(trx, [orgId], now) : undefined;
  const used = await insertMeasured(trx, lines, by);
  const ended = ends === undefined ? [] : [{ sessionId: ends, orgId }];
  if (accounts) await chargeUsage(trx, { used, ended, now, accounts });
  else for (const { sessionId } of ended) await settleCall(trx, sessionId, now);
}

/** Returns the rows that are new. */
async function insertMeasured(trx: Trx, lines: readonly Measured[], by: UsedBy): Promise<UsageRow[]> {
  const measured = lines.filter(({ quantity }) => quantity > 0n);
  if (measured.length === 0) return [];
  const prices = await readPrices(trx, [by.orgId]);
  return insertUsage(
    trx,
    measured.map((line) => toUsageRow(line, by, prices)),
  );
}
