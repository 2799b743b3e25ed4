import { z } from "zod";
import { anyOf, capability, email, money, phone, text } from "./capability.ts";

const order = z.object({
  id: z.string(),
  /** As the customer knows it. */
  number: z.string(),
  placedAt: z.string(),
  status: z.string(),
  paid: z.boolean(),
  total: money,
  items: z.array(z.object({ name: z.string(), quantity: z.number() })),
  tracking: z.array(
    z.object({ company: z.string().nullable(), number: z.string().nullable(), url: z.string().nullable() }),
  ),
});

const byWhat = anyOf("orderNumber", "email", "phone");

export const orders = {
  "order.lookup": capability({
    name: "Look up an order",
    description:
      "Finds orders by order number, or by the customer's email or phone: status, payment, items and tracking. Newest first.",
    isWrite: false,
    arguments: z
      .strictObject({
        orderNumber: text(64).describe("The order's number as the customer has it").optional(),
        email: email.optional(),
        phone: phone.optional(),
      })
      .refine(byWhat.isMet, byWhat.message),
    result: z.object({ orders: z.array(order) }),
  }),
};
