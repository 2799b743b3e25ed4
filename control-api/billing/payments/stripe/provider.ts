import { AppError } from "@parley/shared/errors.ts";
import { z } from "zod";
import { centsOf, microsOfCents } from "../../money.ts";
import type { Charged, PaymentOrder, PaymentProvider, SavedCharge } from "../provider.ts";
import { postToStripe, type StripeReach, StripeRefused } from "./api.ts";

const customerSchema = z.object({ id: z.string() });
const checkoutSchema = z.object({ url: z.url() });
const intentSchema = z.object({ id: z.string(), status: z.string(), amount_received: z.int().nullish() });

/** Checkout pages and charges of saved cards (https://docs.stripe.com/api). */
export function stripePayments(reach: StripeReach): PaymentProvider {
  return {
    name: "stripe",
    begin: async (order) => {
      const customerId = order.customerId ?? (await createCustomer(reach, order.orgId));
      const { url } = read(checkoutSchema, await openCheckout(reach, { ...order, customerId }));
      return { kind: "redirect", url, customerId };
    },
    charge: (charge) => chargeSaved(reach, charge),
  };
}

async function createCustomer(reach: StripeReach, orgId: string): Promise<string> {
  const form = { "metadata[org_id]": orgId };
  const command = { orgId, path: "customers", form, idempotencyKey: `customer-${orgId}` };
  return read(customerSchema, await postToStripe(reach, command)).id;
}

function openCheckout(
  reach: StripeReach,
  order: PaymentOrder & { readonly customerId: string },
): Promise<unknown> {
  const { orgId, paymentId, amount, title, keepsMethod, customerId, returnUrl } = order;
  const form = {
    mode: "payment",
    customer: customerId,
    client_reference_id: paymentId,
    success_url: returnUrl,
    cancel_url: returnUrl,
    "metadata[payment_id]": paymentId,
    "line_items[0][quantity]": "1",
    "line_items[0][price_data][currency]": "usd",
    "line_items[0][price_data][unit_amount]": String(centsOf(amount)),
    "line_items[0][price_data][product_data][name]": title,
    "payment_intent_data[metadata][payment_id]": paymentId,
    ...(keepsMethod ? { "payment_intent_data[setup_future_usage]": "off_session" } : {}),
  };
  return postToStripe(reach, { orgId, path: "checkout/sessions", form, idempotencyKey: paymentId });
}

async function chargeSaved(reach: StripeReach, charge: SavedCharge): Promise<Charged> {
  const { orgId, paymentId, amount, title, customerId, methodId } = charge;
  const form = {
    amount: String(centsOf(amount)),
    currency: "usd",
    customer: customerId,
    payment_method: methodId,
    off_session: "true",
    confirm: "true",
    description: title,
    "metadata[payment_id]": paymentId,
  };
  try {
    const command = { orgId, path: "payment_intents", form, idempotencyKey: paymentId };
    const { id, status, amount_received } = read(intentSchema, await postToStripe(reach, command));
    if (status === "succeeded")
      return { state: "succeeded", intentId: id, amount: microsOfCents(amount_received ?? 0) };
    return status === "processing"
      ? { state: "pending" }
      : { state: "failed", reason: "The bank asks the card's owner to confirm the payment." };
  } catch (error) {
    if (error instanceof StripeRefused) return { state: "failed", reason: error.message };
    throw error;
  }
}

function read<T extends z.ZodType>(schema: T, answer: unknown): z.output<T> {
  const { data } = schema.safeParse(answer);
  if (data !== undefined) return data;
  throw new AppError("unavailable", "The payment service sent an invalid response. Try again shortly.");
}
