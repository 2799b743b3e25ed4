import type { Config } from "@parley/shared/config/config.ts";
import type { Dispatchers } from "@parley/shared/net/dispatchers.ts";
import { manualPayments } from "./manual.ts";
import type { PaymentProvider } from "./provider.ts";
import { stripePayments } from "./stripe/provider.ts";

/** Stripe if the operator has an account there, else bank transfers. */
export function openProvider(
  { stripe, bankTransferDetails }: Config["billing"],
  dispatchers: Dispatchers,
): PaymentProvider {
  const { apiUrl, secretKey } = stripe;
  return secretKey === undefined
    ? manualPayments(bankTransferDetails)
    : stripePayments({ apiUrl, secretKey, dispatchers });
}
