import { AppError } from "@parley/shared/errors.ts";
import { CURRENCY, toDecimal } from "../money.ts";

/** `AppError` payment_required: nothing new begins. */
export function suspendedError(since: Date): AppError {
  return new AppError(
    "payment_required",
    "The account is suspended. Pay the outstanding amount on the Billing page to resume calls.",
    { details: { reason: "suspended", suspendedAt: since.toISOString() } },
  );
}

/** `AppError` payment_required: the balance is short. `whatFor`: what needs it, with its verb. */
export function balanceTooLowError(wallet: bigint, needed: bigint, whatFor: string): AppError {
  const message = `The balance of ${toDecimal(wallet)} ${CURRENCY} does not cover ${toDecimal(needed)} ${CURRENCY}, which ${whatFor}. Add funds on the Billing page.`;
  return new AppError("payment_required", message, {
    details: { reason: "balance", available: toDecimal(wallet), needed: toDecimal(needed) },
  });
}
