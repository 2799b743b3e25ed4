import type { UsageMetric } from "@parley/shared/contracts/billing.ts";
import type { InvoiceShown } from "@parley/shared/contracts/invoices.ts";

export const METRIC_LABELS: Readonly<Record<UsageMetric, string>> = {
  call_seconds: "Call seconds",
  stt_seconds: "Recognized seconds",
  tts_characters: "Spoken characters",
  messages: "Chat messages",
  number_months: "Number rent",
  llm_input_tokens: "Tokens sent to models",
  llm_output_tokens: "Tokens written by models",
};

export const INVOICE_STATES: Readonly<Record<InvoiceShown["state"], string>> = {
  open: "Open",
  overdue: "Overdue",
  paid: "Paid",
};

/** "$12.50" of a decimal as the API has it; nothing is rounded away. */
export function dollars(amount: string): string {
  return amount.startsWith("-") ? `−$${amount.slice(1)}` : `$${amount}`;
}
