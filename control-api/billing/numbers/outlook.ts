import { type NumberFacts, renewalOf } from "../lifecycle/number-states.ts";
import { amountOf } from "../money.ts";
import { choosePrice, type Price } from "../prices/choose-price.ts";
import type { BillingAccount } from "../wallet/account-store.ts";
import type { BilledNumber } from "./store.ts";

export interface Payer extends Pick<BillingAccount, "plan" | "suspendedAt"> {
  readonly prices: readonly Price[];
  readonly wallet: bigint;
  readonly now: Date;
}

/** What is known of a number's next renewal; undefined without a rent. */
export function outlookOf(
  number: BilledNumber,
  { prices, plan, suspendedAt, wallet, now }: Payer,
): { readonly facts: NumberFacts; readonly price: Price; readonly rent: bigint } | undefined {
  const { orgId, carrier, overdueAt } = number;
  const renewsAt = renewalOf(number);
  const price = choosePrice(prices, { orgId, metric: "number_months", vendor: carrier, at: renewsAt });
  const rent = price ? amountOf(1n, price) : 0n;
  if (!price || rent === 0n) return undefined;
  const isCovered = plan === "postpaid" || wallet >= rent;
  return { facts: { now, renewsAt, overdueAt, suspendedAt, isCovered }, price, rent };
}
