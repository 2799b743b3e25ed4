import type { Connector } from "../../connector.ts";
import { secret } from "../fields.ts";
import { actions } from "./actions.ts";
import { verify } from "./verify.ts";

export const connector: Connector = {
  id: "stripe",
  name: "Stripe",
  category: "Payments",
  about: "Looks payments and refunds up, and makes payment links.",
  authKind: "api_key",
  docsUrl: "https://docs.stripe.com/keys#create-restricted-api-secret-key",
  credentials: [
    secret(
      "apiKey",
      "Restricted API key",
      "Developers → API keys → Create restricted key (rk_…). Read access to Charges, Customers and Refunds; write access to Payment Links.",
    ),
  ],
  settings: [],
  apiHosts: () => ["api.stripe.com"],
  authorized: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}`, "stripe-version": "2026-10-28.endive" }),
  refusalOf: ({ status, body }) => {
    if (status !== 402) return undefined;
    const { message } = (body as { error?: { message?: string } } | undefined)?.error ?? {};
    return { problem: "rejected", words: message };
  },
  verify,
  actions,
};
