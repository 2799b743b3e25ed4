import { z } from "zod";
import { usageMetricSchema } from "./billing.ts";
import { wrapped } from "./envelope.ts";
import { pageLimit } from "./paging.ts";

/** `/api/operator`: prices, organizations, and bank transfers, for the operator of the server. */

/** US dollars with two to six decimals. */
const amount = z.string().regex(/^-?\d+\.\d{2,6}$/);
/** An amount as people write it. */
const given = z.string().max(32);
const id = z.string().min(1).max(64);

const priceSchema = z.object({
  id: z.string(),
  metric: usageMetricSchema,
  /** Empty: all vendors without a price of their own. */
  vendor: z.string(),
  /** Empty: all organizations without a price of their own. */
  orgId: z.string(),
  /** Empty: all organizations, or one that is gone. */
  orgName: z.string(),
  amount,
  /** Number of units that cost `amount`. */
  per: z.int(),
  from: z.string(),
});
export type PriceShown = z.infer<typeof priceSchema>;
export const pricesResponseSchema = wrapped(z.object({ currency: z.string(), prices: z.array(priceSchema) }));

export const addPriceSchema = z.strictObject({
  metric: usageMetricSchema,
  /** Dollars with at most six decimals. */
  amount: given,
  /** Units; 1 when absent. */
  per: given.optional(),
  vendor: z.string().max(64).optional(),
  orgId: z.string().max(64).optional(),
  /** RFC 3339, not in the past; now when absent. */
  from: given.optional(),
});
export const addedPriceResponseSchema = wrapped(z.object({ id: z.string() }));

const organizationSchema = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(["prepaid", "postpaid"]),
  state: z.enum(["active", "suspended"]),
  /** Available for new calls. */
  balance: amount,
  /** Used and unpaid, invoiced or not. */
  owed: amount,
});
export type OperatedOrganization = z.infer<typeof organizationSchema>;

export const organizationsQuerySchema = z.object({
  /** Part of a name, or an id. */
  search: z.string().max(100).optional(),
  /** Last id of the previous page. */
  after: id.optional(),
  limit: pageLimit(200),
});
export const organizationsResponseSchema = wrapped(
  z.object({
    currency: z.string(),
    /** Ordered by id. */
    organizations: z.array(organizationSchema),
    /** Pass as `after` for the next page; null at the end. */
    next: z.string().nullable(),
  }),
);
export type OperatedOrganizations = z.infer<typeof organizationsResponseSchema>["data"];

export const operatedOrgParamsSchema = z.object({ orgId: id });
export const changePlanSchema = z.strictObject({ plan: organizationSchema.shape.plan });
export const giveCreditSchema = z.strictObject({
  amount: given,
  /** Each reason can be used only once per organization. */
  reason: z.string().trim().min(1).max(200),
});
export const operatedOrganizationResponseSchema = wrapped(organizationSchema);

const transferSchema = z.object({
  /** The reference that the payer was told to include. */
  id: z.string(),
  orgId: z.string(),
  orgName: z.string(),
  amount,
  /** Null: the payment adds to the balance. */
  invoiceId: z.string().nullable(),
  announcedAt: z.string(),
});
export type TransferShown = z.infer<typeof transferSchema>;
export const transfersResponseSchema = wrapped(z.object({ transfers: z.array(transferSchema) }));
export const transferParamsSchema = z.object({ paymentId: id });
export const transferReceivedResponseSchema = wrapped(
  z.object({ id: z.string(), received: z.literal(true) }),
);
