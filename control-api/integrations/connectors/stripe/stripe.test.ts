import { STRIPE_KEY, startFakeStripe } from "../../../../testkit/fakes/connectors/stripe.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";

const PAYMENT = {
  id: "ch_1",
  at: "2026-01-01T00:00:00.000Z",
  status: "succeeded",
  amount: { amount: "84.50", currency: "USD" },
  description: "Order 1001",
};
const refused = (status: number, message: string, headers = {}) => ({
  status,
  json: { error: { type: "invalid_request_error", message } },
  headers,
});

connectorContract({
  connector,
  start: startFakeStripe,
  settings: {},
  forms: { "restricted key": { apiKey: STRIPE_KEY } },
  badCredentials: { apiKey: "rk_live_nobody" },
  account: "Shoes Inc",
  cases: [
    { capability: "payment.lookup", args: { id: "ch_1" }, result: { payments: [PAYMENT] } },
    { capability: "payment.lookup", args: { email: "o'hara@example.com" }, result: { payments: [PAYMENT] } },
    { capability: "payment.lookup", args: { email: "nobody@example.com" }, result: { payments: [] } },
    {
      capability: "refund.lookup",
      args: { id: "ch_1" },
      result: {
        refunds: [
          {
            id: "re_1",
            at: "2026-01-01T00:00:00.000Z",
            status: "succeeded",
            amount: { amount: "500", currency: "JPY" },
          },
        ],
      },
    },
    {
      capability: "payment_link.create",
      args: { priceId: "price_1" },
      result: { url: "https://buy.stripe.com/test_1" },
    },
  ],
  missing: { capability: "payment.lookup", args: { id: "ch_2" } },
  faults: {
    missingScope: refused(403, "The provided key 'rk_live_***' does not have the required permissions."),
    rateLimited: refused(429, "Too many requests", { "retry-after": "30" }),
  },
});
