import type { PaymentProvider } from "./provider.ts";

/** Bank transfers: an operator says that one came (`scripts/billing.ts received`). */
export function manualPayments(details: string): PaymentProvider {
  return {
    name: "manual",
    begin: async ({ paymentId }) => ({
      kind: "instructions",
      text: `${details}\nReference: ${paymentId}`,
    }),
  };
}
