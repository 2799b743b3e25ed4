import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** What organizations pay, and how (docs/billing.md#payments). */

const amount = z.string().regex(/^\d+\.\d{2,6}$/);
const CENTS = /^\d{1,5}(\.\d{1,2})?$/;
const LEAST = 5;
const MOST = 10_000;
const dollars = z
  .string()
  .regex(CENTS, "must be dollars and cents as text, such as 25 or 12.50")
  .refine(
    (text) => Number(text) >= LEAST && Number(text) <= MOST,
    `must be from ${LEAST} to ${MOST} dollars`,
  );

export const beginTopUpSchema = z.strictObject({
  amount: dollars,
  /** Saves the payment method, so that the balance can be topped up later as `auto-top-up` configures. */
  savesMethod: z.boolean().default(false),
});
const paymentBegunSchema = z.object({
  id: z.string(),
  /** A page of the payment service; null for a bank transfer. */
  url: z.string().nullable(),
  /** For a bank transfer: the account, and the reference to include. */
  instructions: z.string().nullable(),
});
export type PaymentBegun = z.infer<typeof paymentBegunSchema>;
export const paymentBegunResponseSchema = wrapped(paymentBegunSchema);

export const putAutoTopUpSchema = z.strictObject({
  autoTopUp: z
    .strictObject({
      /** Tops up when less than this is available. */
      below: z.string().regex(CENTS, "must be dollars and cents as text, such as 10"),
      amount: dollars,
    })
    .nullable(),
});
const autoTopUpSchema = z.object({
  /** A payment method is saved at the payment service. */
  hasMethod: z.boolean(),
  /** Null, like `amount`, when auto top-up is off. */
  below: amount.nullable(),
  amount: amount.nullable(),
  /** Why top-ups are paused. */
  pausedFor: z.string().nullable(),
});
export type AutoTopUpShown = z.infer<typeof autoTopUpSchema>;
export const autoTopUpResponseSchema = wrapped(autoTopUpSchema);

const paymentSchema = z.object({
  id: z.string(),
  purpose: z.enum(["top_up", "auto_top_up", "invoice"]),
  invoiceId: z.string().nullable(),
  amount,
  state: z.enum(["pending", "succeeded", "failed"]),
  failure: z.string().nullable(),
  createdAt: z.string(),
});
const paymentsSchema = z.object({
  /** `manual`: bank transfers. */
  provider: z.enum(["stripe", "manual"]),
  autoTopUp: autoTopUpSchema,
  /** At most 100. */
  payments: z.array(paymentSchema),
});
export type Payments = z.infer<typeof paymentsSchema>;
export const paymentsResponseSchema = wrapped(paymentsSchema);
