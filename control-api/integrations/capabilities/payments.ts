import { z } from "zod";
import { anyOf, capability, email, money, text } from "./capability.ts";

const payment = z.object({ id: z.string(), at: z.string(), status: z.string(), amount: money });

const byWhat = anyOf("id", "email");

export const payments = {
  "payment.lookup": capability({
    name: "Look up payments",
    description: "Finds a payment by its id, or a customer's newest payments by their email.",
    isWrite: false,
    arguments: z
      .strictObject({ id: text(128).optional(), email: email.optional() })
      .refine(byWhat.isMet, byWhat.message),
    result: z.object({ payments: z.array(payment.extend({ description: z.string().nullable() })) }),
  }),
  "refund.lookup": capability({
    name: "Look up refunds",
    description: "Lists the refunds of a payment by the payment's id.",
    isWrite: false,
    arguments: z.strictObject({ id: text(128).describe("The payment's id") }),
    result: z.object({ refunds: z.array(payment) }),
  }),
  "payment_link.create": capability({
    name: "Create a payment link",
    description: "Creates a link where a customer can pay for a price.",
    isWrite: true,
    arguments: z.strictObject({ priceId: text(128), quantity: z.int().min(1).max(999).default(1) }),
    result: z.object({ url: z.string() }),
  }),
};
