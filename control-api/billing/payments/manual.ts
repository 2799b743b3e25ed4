import type { PaymentProvider } from "./provider.ts";

/** Bank transfers, which an operator reports as received (`scripts/billing.ts received`). */
export function manualPayments(details: string): PaymentProvider {
  return {
    name: "manual",
    begin: async ({ paymentId }) => ({
      kind: "instructions",
      text: `${details}\nReference: ${paymentId}`,
    }),
  };
}
