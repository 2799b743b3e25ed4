import type { Billing } from "@parley/shared/contracts/billing.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { readBalances } from "../ledger/post.ts";
import { nextPeriod, periodStart } from "../limits/periods.ts";
import { listLimits } from "../limits/store.ts";
import { toShown } from "../limits/to-shown.ts";
import { CURRENCY, shareOfTime, toDecimal, toWholeCents } from "../money.ts";
import { readUsageTotal } from "../usage/store.ts";
import { readAccount } from "./account-store.ts";

type Db = Kysely<Tables>;

/** An organization's balance, debt, spending and limits. */
export async function readBilling(
  db: Db,
  orgId: string,
  { isOn, now }: { readonly isOn: boolean; readonly now: Date },
): Promise<Billing> {
  const { plan, suspendedAt } = await readAccount(db, orgId);
  const { wallet, held, unbilled, receivable } = await readBalances(db, orgId);
  const limits = [];
  for (const limit of await listLimits(db, orgId)) limits.push(await toShown(db, orgId, { limit, now }));
  return {
    isOn,
    currency: CURRENCY,
    plan,
    state: suspendedAt === null ? "active" : "suspended",
    suspendedAt: suspendedAt?.toISOString() ?? null,
    balance: {
      available: toDecimal(wallet),
      held: toDecimal(held),
      unbilled: toDecimal(-unbilled),
      due: toDecimal(-receivable),
    },
    spent: await readSpentTotals(db, orgId, now),
    limits,
  };
}

async function readSpentTotals(db: Db, orgId: string, now: Date): Promise<Billing["spent"]> {
  const to = periodStart("day", now);
  const from = periodStart("month", now);
  const month = await readUsageTotal(db, orgId, { from, to });
  const begun = Date.parse(from);
  return {
    today: toDecimal(await readUsageTotal(db, orgId, { from: to, to })),
    month: toDecimal(month),
    forecast: toDecimal(
      toWholeCents(
        shareOfTime(month, { ofMs: now.getTime() - begun, inMs: nextPeriod("month", now).getTime() - begun }),
      ),
    ),
  };
}
