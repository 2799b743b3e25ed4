import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import { readBalances } from "../ledger/post.ts";
import { dayOf } from "../lifecycle/days.ts";
import { toDecimal } from "../money.ts";
import { lockAccount } from "./account-store.ts";
import { assertThere } from "./credit.ts";

const PLANS = ["prepaid", "postpaid"] as const;

/**
 * Changes how an organization pays from now on. Throws `AppError` not_found; validation_failed (no such plan); conflict
 * if usage under the old plan is not paid or invoiced yet.
 */
export async function changePlan(
  database: Database,
  { orgId, plan, at }: { readonly orgId: string; readonly plan: string; readonly at: Date },
): Promise<void> {
  const wanted = PLANS.find((known) => known === plan);
  if (!wanted) throw new AppError("validation_failed", `The plan must be ${PLANS.join(" or ")}.`);
  await database.db.transaction().execute(async (trx) => {
    await assertThere(trx, orgId);
    const { plan: before } = await lockAccount(trx, orgId, at);
    if (before === wanted) return;
    const { unbilled, receivable, held } = await readBalances(trx, orgId);
    const owed = -unbilled - receivable;
    if (wanted === "prepaid" && owed !== 0n)
      throw new AppError("conflict", `${toDecimal(owed)} are not invoiced or paid yet. Settle them first.`);
    if (wanted === "postpaid" && held !== 0n)
      throw new AppError("conflict", "Some calls are still in progress. Wait until they end.");
    const invoicedTo = wanted === "postpaid" ? dayOf(at) : null;
    await trx
      .updateTable("billing_accounts")
      .set({ plan: wanted, invoiced_to: invoicedTo })
      .where("org_id", "=", orgId)
      .execute();
    // Past usage was already paid for as it occurred.
    await trx
      .updateTable("usage_days")
      .set(({ ref }) => ({ invoiced: ref("amount"), invoiced_quantity: ref("quantity") }))
      .where("org_id", "=", orgId)
      .execute();
  });
}
