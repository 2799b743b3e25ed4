import { z } from "zod";
import type { AppError } from "../errors.ts";
import { wrapped } from "./envelope.ts";

/** `/api/orgs/{orgId}/usage` and `/api/orgs/{orgId}/billing`: what was used, and what it costs. */

/** Usage metrics, each in the unit of its name. */
export const USAGE_METRICS = [
  "call_seconds",
  "stt_seconds",
  "tts_characters",
  "messages",
  "number_months",
  "llm_input_tokens",
  "llm_output_tokens",
  "embedding_tokens",
  "app_calls",
] as const;
export const usageMetricSchema = z.enum(USAGE_METRICS);
export type UsageMetric = z.infer<typeof usageMetricSchema>;

/** US dollars with two to six decimals. */
const amount = z.string().regex(/^-?\d+\.\d{2,6}$/);
const day = z.iso.date({ error: "a date such as 2026-11-30" });

export const usageQuerySchema = z.object({
  /** First day, UTC; the first of this month when absent. */
  from: day.optional(),
  /** Last day, UTC, at most 400 days after the first; today when absent. */
  to: day.optional(),
  by: z.enum(["agent", "channel", "vendor", "day"]).default("day"),
});
export type UsageBy = z.infer<typeof usageQuerySchema>["by"];

const usageLineSchema = z.object({
  /** The agent's id, the channel, the vendor, or the day. Empty for calls without an agent. */
  key: z.string(),
  /** Name of an agent or app that still exists. */
  name: z.string().nullable(),
  metric: usageMetricSchema,
  quantity: z.int(),
  amount,
});
export const usageSchema = z.object({
  from: day,
  to: day,
  by: usageQuerySchema.shape.by.unwrap(),
  currency: z.string(),
  /** Lines by key and metric: the most expensive, at most 5,000; `total` covers all. */
  lines: z.array(usageLineSchema),
  total: amount,
});
export type Usage = z.infer<typeof usageSchema>;
export const usageResponseSchema = wrapped(usageSchema);

/** What one call or chat has used so far, and its cost. */
export const callCostSchema = z.object({
  sessionId: z.string(),
  currency: z.string(),
  /** Lines by metric and vendor, the most expensive first. */
  lines: z.array(z.object({ metric: usageMetricSchema, vendor: z.string(), quantity: z.int(), amount })),
  total: amount,
});
export type CallCost = z.infer<typeof callCostSchema>;
export const callCostResponseSchema = wrapped(callCostSchema);
export const callCostParamsSchema = z.object({
  orgId: z.string().min(1).max(64),
  sessionId: z.string().min(1).max(64),
});

const limitScope = z.enum(["organization", "agent", "campaign", "key"]);
const spendingLimitSchema = z.object({
  id: z.string(),
  scope: limitScope,
  /** The agent, the campaign or the key; empty for the organization. */
  scopeId: z.string(),
  /** Days and months in UTC. */
  period: z.enum(["day", "month"]),
  /** `hard` refuses new calls and templates; `soft` mails the owners once per period. */
  kind: z.enum(["soft", "hard"]),
  amount,
  /** Amount spent in this period. */
  spent: amount,
});
export type SpendingLimitShown = z.infer<typeof spendingLimitSchema>;

export const putLimitSchema = z
  .strictObject({
    scope: limitScope,
    scopeId: z.string().max(64).default(""),
    period: spendingLimitSchema.shape.period,
    kind: spendingLimitSchema.shape.kind,
    amount: z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, "must be dollars as text, such as 25 or 12.50"),
  })
  .refine(({ scope, scopeId }) => (scope === "organization") === (scopeId === ""), {
    path: ["scopeId"],
    message: "the id of the agent, campaign or key; empty for the organization",
  });
export type PutLimit = z.infer<typeof putLimitSchema>;
export const limitResponseSchema = wrapped(spendingLimitSchema);
export const limitParamsSchema = z.object({
  orgId: z.string().min(1).max(64),
  id: z.string().min(1).max(64),
});
export const limitDeletedResponseSchema = wrapped(z.object({ id: z.string(), deleted: z.literal(true) }));

export const billingSchema = z.object({
  /** False: calls are counted, but nothing is charged or refused. */
  isOn: z.boolean(),
  currency: z.string(),
  /** `prepaid`: calls are paid from the balance; `postpaid`: by invoice. */
  plan: z.enum(["prepaid", "postpaid"]),
  state: z.enum(["active", "suspended"]),
  suspendedAt: z.string().nullable(),
  balance: z.object({
    /** Available for new calls; negative after a call that cost more than the balance. */
    available: amount,
    /** Reserved for ongoing calls. */
    held: amount,
    /** Used since the last invoice. */
    unbilled: amount,
    /** Total of unpaid invoices. */
    due: amount,
  }),
  /** Usage of today and of this month (UTC), at the applicable prices. */
  spent: z.object({
    today: amount,
    month: amount,
    /** This month's projected total at the current rate. */
    forecast: amount,
  }),
  limits: z.array(spendingLimitSchema),
});
export type Billing = z.infer<typeof billingSchema>;
export const billingResponseSchema = wrapped(billingSchema);

const billedNumberSchema = z.object({
  id: z.string(),
  number: z.string(),
  /** `noticed`: renews within a week; `overdue`: the renewal failed; `release_pending`: the account is suspended. */
  state: z.enum(["active", "noticed", "overdue", "release_pending"]),
  renewsAt: z.string(),
  /** Null: the number is free. */
  rent: amount.nullable(),
});
export type BilledNumberShown = z.infer<typeof billedNumberSchema>;
export const billedNumbersResponseSchema = wrapped(z.object({ numbers: z.array(billedNumberSchema) }));

/** What hearing or speaking one message of a messaging channel took. */
export interface MessageSpeech {
  readonly orgId: string;
  /** Null before the conversation has a session. */
  readonly sessionId: string | null;
  readonly agentId: string;
  readonly channel: string;
  /** Identifies the message; repeats count once. */
  readonly source: string;
  readonly metric: "stt_seconds" | "tts_characters";
  readonly vendor: string;
  readonly quantity: number;
}

/** Messages that begin conversations, or take them up again, at the organization's cost. */
export interface MessagesToAdmit {
  readonly orgId: string;
  readonly channel: string;
  /** The API key that asks for them; empty for people. */
  readonly keyId: string;
  /** Absent for those of no campaign. */
  readonly campaign?: CampaignToAdmit;
  readonly at: Date;
  readonly messages: number;
  /** Counts those admitted before that are not counted as usage yet. */
  readonly waiting: () => Promise<WaitingMessages>;
}

export interface CampaignToAdmit {
  readonly id: string;
  /** What all of its messages may cost, in US dollars as text; null: as much as they do. */
  readonly budgetUsd: string | null;
}

/** How many messages wait to be counted: all of the organization's, and of these the key's and the campaign's. */
export interface WaitingMessages {
  readonly organization: number;
  readonly key: number;
  readonly campaign: number;
}

/** How many may be sent; `refusal` says why the next one may not. */
export interface Admission {
  readonly admitted: number;
  /** `AppError` payment_required, spending_limit_reached. */
  readonly refusal?: AppError;
}

/** Messages of a messaging channel; each counts once, however often it is told of. */
export interface CountedMessages {
  readonly orgId: string;
  /** Null for messages outside of a session. */
  readonly sessionId: string | null;
  /** The agent that was written to, or wrote. Null for people and keys. */
  readonly agentId: string | null;
  /** The API key that wrote; empty for everybody else. */
  readonly keyId: string;
  /** The campaign that wrote; absent for everybody else. */
  readonly campaignId?: string;
  readonly channel: string;
  /** Templates have prices of their own. */
  readonly kind: "conversation" | "template";
  readonly messageIds: readonly string[];
}
