import { z } from "zod";
import { about, orgEvent, SAMPLE, timestamp } from "./fields.ts";
import { RELEASE_REASONS } from "./values.ts";

const day = z.iso.date();
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/, "a decimal as text");
const invoice = {
  ...orgEvent,
  invoiceId: about(z.uuid(), "the invoice"),
  periodStart: about(day, "the first day it is for"),
  periodEnd: about(day, "the last day it is for"),
  totalBilled: about(decimal, "the amount, a decimal as text"),
  currency: about(z.string(), "of the amount"),
  dueOn: about(z.string(), "when it is due, in words for people; do not parse it"),
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
const number = { ...orgEvent, e164: about(z.string(), "the number, with + and its country") };
const rentUsd = about(decimal, "what it costs, a decimal as text");
const graceDays = about(z.int(), "days until there are consequences");
const afterSuspendDays = about(z.int(), "after how many days of suspension numbers are given up");
const sampleNumber = { ...SAMPLE.org, e164: "+15550001111" };

const channel = {
  channelId: about(z.string(), "the channel"),
  channelPhone: about(z.string().nullable(), "its number; null for a channel that was brought along"),
};

/** Organization events (docs/webhooks.md#the-events): no session, no `agentId`, no `identifier`. */
export const ORG_EVENTS = {
  "whatsapp.message.received": {
    summary: "A message was received.",
    schema: z.object({
      event: z.literal("whatsapp.message.received"),
      ...orgEvent,
      ...channel,
      threadId: about(z.string(), "the conversation"),
      messageId: about(z.string(), "the message, here"),
      wamid: about(z.string(), "the message, at WhatsApp"),
      from: about(z.string(), "who sent it: + and digits"),
      contactName: about(z.string().nullable(), "the name they go by"),
      type: about(z.string(), "WhatsApp's type of message, such as text or image"),
      body: about(z.string().nullable(), "its text"),
      content: about(z.unknown(), "what is in it besides text; may be null"),
      media: about(z.unknown(), "always there, null for text; a `signedUrl` in it is good for an hour"),
      timestamp: about(timestamp, "when it was sent"),
      raw: about(z.unknown(), "the message as WhatsApp sent it"),
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
    summary: "The status of a sent message changed.",
    schema: z.object({
      event: z.literal("whatsapp.message.status"),
      ...orgEvent,
      ...channel,
      wamid: about(z.string(), "the message, at WhatsApp"),
      status: about(
        z.string(),
        "WhatsApp's status, such as sent, delivered, read or failed; it only advances",
      ),
      recipient: about(z.string(), "who gets it: + and digits"),
      timestamp: about(timestamp, "when WhatsApp says it was so, which is not `occurredAt`"),
      errors: about(z.array(z.unknown()).nullable(), "what went wrong, as WhatsApp says"),
      pricing: about(z.unknown(), "as WhatsApp sent it: `category`, `billable`, `type`"),
      conversation: about(z.unknown(), "as WhatsApp sent it: `id`, `origin.type`"),
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
    summary: "The provider reported on the account.",
    schema: z.object({
      event: z.literal("whatsapp.account.health"),
      ...orgEvent,
      wabaId: about(z.string(), "the WhatsApp business account"),
      field: about(z.string(), "WhatsApp's name of what changed"),
      value: about(z.unknown(), "as WhatsApp sent it; its shape varies"),
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
    summary: "An invoice was issued.",
    schema: z.object({ event: z.literal("billing.invoice_issued"), ...invoice }),
    sample: { event: "billing.invoice_issued", ...sampleInvoice },
  },
  "billing.payment_overdue": {
    summary: "An invoice is overdue. Alert-worthy.",
    schema: z.object({ event: z.literal("billing.payment_overdue"), ...invoice }),
    sample: { event: "billing.payment_overdue", ...sampleInvoice },
  },
  "billing.account_suspended": {
    summary: "The account is suspended. Alert-worthy.",
    schema: z.object({
      event: z.literal("billing.account_suspended"),
      ...orgEvent,
      reason: about(z.string(), "why"),
      graceDays,
    }),
    sample: { event: "billing.account_suspended", ...SAMPLE.org, reason: "payment_overdue", graceDays: 7 },
  },
  "billing.number_renewal_due": {
    summary: "A number renews soon; `atRisk` says whether the balance covers it.",
    schema: z.object({
      event: z.literal("billing.number_renewal_due"),
      ...number,
      renewsAt: about(timestamp, "when it renews, UTC"),
      rentUsd,
      shortfallUsd: about(decimal.nullable(), "what the balance lacks; null when it lacks nothing"),
      atRisk: about(z.boolean(), "whether the balance does not cover it; look at this, not at the shortfall"),
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
    summary: "A number was renewed.",
    schema: z.object({
      event: z.literal("billing.number_renewed"),
      ...number,
      rentUsd,
      period: about(day, "the day from which it is renewed"),
    }),
    sample: { event: "billing.number_renewed", ...sampleNumber, rentUsd: "2.00", period: "2026-12-01" },
  },
  "billing.number_renewal_failed": {
    summary: "A number could not be renewed. Alert-worthy.",
    schema: z.object({
      event: z.literal("billing.number_renewal_failed"),
      ...number,
      rentUsd,
      graceDays,
    }),
    sample: { event: "billing.number_renewal_failed", ...sampleNumber, rentUsd: "2.00", graceDays: 7 },
  },
  "billing.number_release_pending": {
    summary: "A number will be released.",
    schema: z.object({
      event: z.literal("billing.number_release_pending"),
      ...number,
      reason: about(z.string(), "why"),
      afterSuspendDays,
    }),
    sample: {
      event: "billing.number_release_pending",
      ...sampleNumber,
      reason: "postpaid_suspended",
      afterSuspendDays: 30,
    },
  },
  "billing.number_released_nonpayment": {
    summary: "A number was released and may be reissued to others. Alert-worthy; branch on `reason`.",
    schema: z.discriminatedUnion("reason", [
      z.object({
        event: z.literal("billing.number_released_nonpayment"),
        ...number,
        reason: about(z.literal("renewal_unpaid"), "why, and which fields there are", RELEASE_REASONS),
        overdueDays: about(z.int(), "how long the renewal was overdue"),
        graceDays,
      }),
      z.object({
        event: z.literal("billing.number_released_nonpayment"),
        ...number,
        reason: about(z.literal("postpaid_suspended"), "why, and which fields there are", RELEASE_REASONS),
        daysSuspended: about(z.int(), "how long the account was suspended"),
        afterSuspendDays,
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
