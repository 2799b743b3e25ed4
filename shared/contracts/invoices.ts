import { z } from "zod";
import { usageMetricSchema } from "./billing.ts";
import { wrapped } from "./envelope.ts";

/** `/api/orgs/{orgId}/billing/invoices` and `…/profile`: what is owed, and by whom. */

/** US dollars with two to six decimals. */
const amount = z.string().regex(/^-?\d+\.\d{2,6}$/);
const day = z.iso.date({ error: "a date such as 2026-11-30" });

const invoiceSchema = z.object({
  id: z.uuid(),
  /** Sequential in order of issue, such as INV-2026-000042; null for invoices from before numbering. */
  number: z.string().nullable(),
  /** First day of the period; both ends are inclusive. */
  periodStart: day,
  periodEnd: day,
  state: z.enum(["open", "overdue", "paid"]),
  subtotal: amount,
  /** Empty: no tax. */
  taxName: z.string(),
  /** Percentage. */
  taxRate: z.string(),
  tax: amount,
  /** Whole cents. */
  total: amount,
  /** Amount by which credit notes reduced the total. */
  credited: amount,
  currency: z.string(),
  issuedAt: z.string(),
  dueAt: z.string(),
  paidAt: z.string().nullable(),
});
export type InvoiceShown = z.infer<typeof invoiceSchema>;
export const invoicesResponseSchema = wrapped(z.object({ invoices: z.array(invoiceSchema) }));
export const invoiceParamsSchema = z.object({ orgId: z.string().min(1).max(64), id: z.uuid() });
const creditNoteSchema = z.object({
  number: z.string(),
  total: amount,
  /** The tax included in the amount. */
  tax: amount,
  reason: z.string(),
  issuedAt: z.string(),
});
const invoiceWithLinesSchema = invoiceSchema.extend({
  lines: z.array(z.object({ metric: usageMetricSchema, vendor: z.string(), quantity: z.int(), amount })),
  creditNotes: z.array(creditNoteSchema),
});
export type InvoiceWithLines = z.infer<typeof invoiceWithLinesSchema>;
export const invoiceResponseSchema = wrapped(invoiceWithLinesSchema);

const MOST_NAME = 200;
const MOST_ADDRESS = 500;
export const putBillingProfileSchema = z.strictObject({
  legalName: z.string().trim().min(1).max(MOST_NAME),
  address: z.string().trim().max(MOST_ADDRESS).default(""),
  country: z.string().regex(/^[A-Z]{2}$/, "a country's two letters, such as DE"),
  taxId: z.string().trim().max(64).default(""),
});
const billingProfileSchema = z.object({
  legalName: z.string(),
  address: z.string(),
  country: z.string(),
  taxId: z.string(),
  /** An operator exempted the organization from tax. */
  isExempt: z.boolean(),
});
export type BillingProfileShown = z.infer<typeof billingProfileSchema>;
export const billingProfileResponseSchema = wrapped(billingProfileSchema);
