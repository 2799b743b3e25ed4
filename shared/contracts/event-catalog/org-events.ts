import { z } from "zod";
import { orgEvent, SAMPLE, timestamp } from "./fields.ts";

const day = z.iso.date();
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/, "a decimal as text");
const invoice = {
  ...orgEvent,
  invoiceId: z.uuid(),
  periodStart: day,
  periodEnd: day,
  totalBilled: decimal,
  currency: z.string(),
  /** Prose for people. */
  dueOn: z.string(),
};
const sampleInvoice = {
  ...SAMPLE.org,
  invoiceId: "5b1f4f0e-8f4e-4d2f-9a51-0a6f7b8c9d10",
  periodStart: "2026-10-01",
  periodEnd: "2026-10-31",
  totalBilled: "129.50",
  currency: "USD",
  dueOn: "30 November 2026",
};
const number = { ...orgEvent, e164: z.string() };
const sampleNumber = { ...SAMPLE.org, e164: "+15550001111" };

/** Events of an organization (spec 2, "Catalog"): no session, no `agentId`, no `identifier`. */
export const ORG_EVENTS = {
  "whatsapp.message.received": {
    summary: "A message came in.",
    schema: z.object({
      event: z.literal("whatsapp.message.received"),
      ...orgEvent,
      channelId: z.string(),
      channelPhone: z.string().nullable(),
      threadId: z.string(),
      messageId: z.string(),
      wamid: z.string(),
      from: z.string(),
      contactName: z.string().nullable(),
      type: z.string(),
      body: z.string().nullable(),
      content: z.unknown(),
      media: z.unknown(),
      timestamp,
      raw: z.unknown(),
    }),
    sample: {
      event: "whatsapp.message.received",
      ...SAMPLE.org,
      channelId: "chn_1",
      channelPhone: "+15550001111",
      threadId: "thr_1",
      messageId: "msg_1",
      wamid: "wamid.HBgL",
      from: "+31612345678",
      contactName: "Ann",
      type: "text",
      body: "Hello",
      content: null,
      media: null,
      timestamp: "2026-11-20T10:15:28.000Z",
      raw: {},
    },
  },
  "whatsapp.message.status": {
    summary: "A message that was sent got further.",
    schema: z.object({
      event: z.literal("whatsapp.message.status"),
      ...orgEvent,
      channelId: z.string(),
      channelPhone: z.string().nullable(),
      wamid: z.string(),
      status: z.string(),
      recipient: z.string(),
      timestamp,
      errors: z.array(z.unknown()).nullable(),
      pricing: z.unknown(),
      conversation: z.unknown(),
    }),
    sample: {
      event: "whatsapp.message.status",
      ...SAMPLE.org,
      channelId: "chn_1",
      channelPhone: "+15550001111",
      wamid: "wamid.HBgL",
      status: "delivered",
      recipient: "+31612345678",
      timestamp: "2026-11-20T10:15:28.000Z",
      errors: null,
      pricing: { category: "service", billable: false, type: "free" },
      conversation: { id: "conversation-1", origin: { type: "service" } },
    },
  },
  "whatsapp.account.health": {
    summary: "The provider says something about the account.",
    schema: z.object({
      event: z.literal("whatsapp.account.health"),
      ...orgEvent,
      wabaId: z.string(),
      field: z.string(),
      value: z.unknown(),
    }),
    sample: {
      event: "whatsapp.account.health",
      ...SAMPLE.org,
      wabaId: "102290129340398",
      field: "account_update",
      value: { event: "VERIFIED_ACCOUNT" },
    },
  },
  "billing.invoice_issued": {
    summary: "An invoice is out.",
    schema: z.object({ event: z.literal("billing.invoice_issued"), ...invoice }),
    sample: { event: "billing.invoice_issued", ...sampleInvoice },
  },
  "billing.payment_overdue": {
    summary: "An invoice is not paid. Alert-worthy.",
    schema: z.object({ event: z.literal("billing.payment_overdue"), ...invoice }),
    sample: { event: "billing.payment_overdue", ...sampleInvoice },
  },
  "billing.account_suspended": {
    summary: "The account is suspended. Alert-worthy.",
    schema: z.object({
      event: z.literal("billing.account_suspended"),
      ...orgEvent,
      reason: z.string(),
      graceDays: z.int(),
    }),
    sample: { event: "billing.account_suspended", ...SAMPLE.org, reason: "payment_overdue", graceDays: 7 },
  },
  "billing.number_renewal_due": {
    summary: "A number renews soon; `atRisk` says whether the balance covers it.",
    schema: z.object({
      event: z.literal("billing.number_renewal_due"),
      ...number,
      renewsAt: timestamp,
      rentUsd: decimal,
      shortfallUsd: decimal.nullable(),
      atRisk: z.boolean(),
    }),
    sample: {
      event: "billing.number_renewal_due",
      ...sampleNumber,
      renewsAt: "2026-12-01T00:00:00.000Z",
      rentUsd: "2.00",
      shortfallUsd: null,
      atRisk: false,
    },
  },
  "billing.number_renewed": {
    summary: "A number is renewed.",
    schema: z.object({
      event: z.literal("billing.number_renewed"),
      ...number,
      rentUsd: decimal,
      period: day,
    }),
    sample: { event: "billing.number_renewed", ...sampleNumber, rentUsd: "2.00", period: "2026-12-01" },
  },
  "billing.number_renewal_failed": {
    summary: "A number could not be renewed. Alert-worthy.",
    schema: z.object({
      event: z.literal("billing.number_renewal_failed"),
      ...number,
      rentUsd: decimal,
      graceDays: z.int(),
    }),
    sample: { event: "billing.number_renewal_failed", ...sampleNumber, rentUsd: "2.00", graceDays: 7 },
  },
  "billing.number_release_pending": {
    summary: "A number will be given up.",
    schema: z.object({
      event: z.literal("billing.number_release_pending"),
      ...number,
      reason: z.string(),
      afterSuspendDays: z.int(),
    }),
    sample: {
      event: "billing.number_release_pending",
      ...sampleNumber,
      reason: "postpaid_suspended",
      afterSuspendDays: 30,
    },
  },
  "billing.number_released_nonpayment": {
    summary: "A number is given up and may be somebody else's soon. Alert-worthy; branch on `reason`.",
    schema: z.discriminatedUnion("reason", [
      z.object({
        event: z.literal("billing.number_released_nonpayment"),
        ...number,
        reason: z.literal("renewal_unpaid"),
        overdueDays: z.int(),
        graceDays: z.int(),
      }),
      z.object({
        event: z.literal("billing.number_released_nonpayment"),
        ...number,
        reason: z.literal("postpaid_suspended"),
        daysSuspended: z.int(),
        afterSuspendDays: z.int(),
      }),
    ]),
    sample: {
      event: "billing.number_released_nonpayment",
      ...sampleNumber,
      reason: "renewal_unpaid",
      overdueDays: 14,
      graceDays: 7,
    },
  },
} as const;
