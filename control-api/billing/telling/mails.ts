import { TERMS } from "../lifecycle/terms.ts";
import { CURRENCY, toDecimal } from "../money.ts";
import type { BillingEvent } from "./billing-event.ts";

/** A mail to owners, without greeting and link. */
export interface BillingMail {
  readonly subject: string;
  readonly text: string;
}

type EventOf<N extends BillingEvent["event"]> = Extract<BillingEvent, { event: N }>;

/** What the owners are mailed about an event; undefined if everything goes as it should. */
export function mailOf(event: BillingEvent): BillingMail | undefined {
  switch (event.event) {
    case "billing.invoice_issued":
      return {
        subject: `New invoice: ${event.totalBilled} ${event.currency}`,
        text: `The invoice for ${event.periodStart} to ${event.periodEnd} is ${event.totalBilled} ${event.currency}, due on ${event.dueOn}.`,
      };
    case "billing.payment_overdue":
      return {
        subject: `Invoice overdue: ${event.totalBilled} ${event.currency}`,
        text: `The invoice for ${event.periodStart} to ${event.periodEnd} was due on ${event.dueOn}. Pay it within ${TERMS.graceDays} days, or your account is suspended and new calls are refused.`,
      };
    case "billing.account_suspended":
      return {
        subject: "Your account is suspended",
        text: `An invoice was not paid within ${event.graceDays} days after it was overdue. New calls are refused; ongoing calls continue, and all data stays. After ${TERMS.afterSuspendDays} days of suspension your numbers are released. Pay the outstanding amount to resume calls.`,
      };
    case "billing.number_renewal_due":
      return event.atRisk ? atRisk(event) : undefined;
    case "billing.number_renewal_failed":
      return {
        subject: `${event.e164} couldn't be renewed`,
        text: `Your balance does not cover its rent of ${event.rentUsd} ${CURRENCY}. Add funds to renew it. Otherwise it is released after ${event.graceDays} days.`,
      };
    case "billing.number_released_nonpayment":
      return {
        subject: `${event.e164} was released`,
        text: "Its rent was not paid in time, so the number no longer receives calls.",
      };
    // The mail about the suspension says when numbers are released.
    case "billing.number_release_pending":
    case "billing.number_renewed":
      return undefined;
    default:
      return event satisfies never;
  }
}

/** What the owners are mailed about a prepaid balance, in micros, that is nearly used up. */
export function mailOfLowBalance(
  wallet: bigint,
  { lookBackDays, enoughDays }: { readonly lookBackDays: number; readonly enoughDays: number },
): BillingMail {
  return {
    subject: `Low balance: ${toDecimal(wallet)} ${CURRENCY} left`,
    text: `At the rate of the last ${lookBackDays} days, your balance lasts less than ${enoughDays} days. When it is used up, new calls are refused; ongoing calls continue. Add funds or turn on automatic top-up.`,
  };
}

function atRisk({
  e164,
  rentUsd,
  renewsAt,
  shortfallUsd,
}: EventOf<"billing.number_renewal_due">): BillingMail {
  const lacks = shortfallUsd === null ? "" : `: ${shortfallUsd} ${CURRENCY} are missing`;
  return {
    subject: `Your balance doesn't cover ${e164}`,
    text: `It renews on ${renewsAt.slice(0, 10)} for ${rentUsd} ${CURRENCY}, which your balance does not cover${lacks}. Add funds by then, or the number is released ${TERMS.graceDays} days later.`,
  };
}
