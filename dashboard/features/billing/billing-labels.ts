import type { UsageMetric } from "@parley/shared/contracts/billing.ts";
import type { InvoiceShown } from "@parley/shared/contracts/invoices.ts";
import { CHANNEL_NAMES } from "../calls/call-labels.ts";
import { VENDOR_NAMES } from "./vendor-names.at-build.ts";

export const METRIC_LABELS: Readonly<Record<UsageMetric, string>> = {
  call_seconds: "Call seconds",
  stt_seconds: "Recognized seconds",
  tts_characters: "Spoken characters",
  messages: "Messages",
  number_months: "Number rent",
  llm_input_tokens: "Tokens sent to models",
  llm_output_tokens: "Tokens written by models",
  embedding_tokens: "Tokens of documents and searches",
  app_calls: "Calls of apps",
};

/** Channels of calls, and of what belongs to none. */
export const USAGE_CHANNELS: typeof CHANNEL_NAMES = [
  ...CHANNEL_NAMES,
  ["app", "Apps"],
  ["knowledge", "Knowledge"],
  ["simulation", "Rehearsals"],
];

/** Who provided what is charged, or the channel it was used on. */
export const PROVIDERS: typeof CHANNEL_NAMES = [...USAGE_CHANNELS, ...VENDOR_NAMES];

export const INVOICE_STATES: Readonly<Record<InvoiceShown["state"], string>> = {
  open: "Open",
  overdue: "Overdue",
  paid: "Paid",
};

/** Formats an API decimal as "$12.50", without rounding. */
export function dollars(amount: string): string {
  return amount.startsWith("-") ? `−$${amount.slice(1)}` : `$${amount}`;
}
