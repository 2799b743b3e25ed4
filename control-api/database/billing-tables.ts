import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;
/** bigint, which both databases return as text. */
type Big = ColumnType<string, string | bigint, string | bigint>;
/** `YYYY-MM-DD`, read with `::text`. */
type Day = ColumnType<string, string, string>;

/** Prices and when they take effect. Rows never change: a new price is a new row. */
interface PricesTable {
  id: string;
  /** Empty: all organizations without a price of their own. */
  org_id: string;
  metric: string;
  /** Empty: all vendors without a price of their own. */
  vendor: string;
  micros: Big;
  per: Big;
  from_at: Timestamp;
  created_at: Timestamp;
}

/** Usage, once per source and metric. Rows never change. */
interface UsageRowsTable {
  source: string;
  metric: string;
  org_id: string;
  session_id: string | null;
  /** Empty without an agent; `key_id` likewise. */
  agent_id: string;
  key_id: string;
  /** Empty without a campaign, and for calls counted by an earlier version: `billed_calls` has theirs. */
  campaign_id: WithDefault<string>;
  channel: string;
  vendor: string;
  quantity: Big;
  price_id: string | null;
  amount: Big;
  at: Timestamp;
}

/** Calls of apps that are counted and not usage yet. A row is deleted in the transaction that makes it usage. */
interface CountedAppCallsTable {
  id: string;
  org_id: string;
  app_id: string;
  calls: Big;
  at: Timestamp;
}

/** The sums of `usage_rows` by UTC day. */
interface UsageDaysTable {
  org_id: string;
  day: Day;
  agent_id: string;
  key_id: string;
  channel: string;
  vendor: string;
  metric: string;
  quantity: Big;
  amount: Big;
  /** The part already invoiced. */
  invoiced_quantity: WithDefault<string>;
  invoiced: WithDefault<string>;
}

/** How an organization pays, and whether it may call. */
interface BillingAccountsTable {
  org_id: string;
  plan: WithDefault<"prepaid" | "postpaid">;
  state: WithDefault<"active" | "suspended">;
  suspended_at: Timestamp | null;
  /** Postpaid only: the first day without an invoice. */
  invoiced_to: ColumnType<string | null, string | null | undefined, string | null>;
  /** When the owners were told that the balance runs low; null once it does not. */
  low_told_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  created_at: Timestamp;
}

/** Rows never change, nor do their entries. */
interface LedgerTransactionsTable {
  id: string;
  org_id: string;
  kind: string;
  /** What it follows from; unique. */
  source: string;
  at: Timestamp;
}

/** Entries of a transaction sum to zero; the database enforces it. */
interface LedgerEntriesTable {
  transaction_id: string;
  account: string;
  org_id: string;
  amount: Big;
}

/** The sums of `ledger_entries`, maintained alongside them. */
interface LedgerBalancesTable {
  org_id: string;
  account: string;
  balance: Big;
}

/** Who asked for a call, its estimated cost, and how much of the wallet is held for it. */
interface BilledCallsTable {
  session_id: string;
  org_id: string;
  /** Empty without an agent; `key_id` likewise. */
  agent_id: string;
  key_id: string;
  /** Empty for calls of no campaign. */
  campaign_id: WithDefault<string>;
  estimate: Big;
  held: Big;
  /** Set once the call is over. */
  settled_at: Timestamp | null;
  created_at: Timestamp;
}

/** What calls and messages of campaigns cost by day (UTC), written with their usage. */
interface CampaignDaysTable {
  org_id: string;
  campaign_id: string;
  day: string;
  amount: Big;
}

interface SpendingLimitsTable {
  id: string;
  org_id: string;
  scope: "organization" | "agent" | "campaign" | "key";
  /** Empty for the organization's own limit. */
  scope_id: string;
  period: "day" | "month";
  kind: "soft" | "hard";
  amount: Big;
  /** The first day of the period of the last warning. */
  warned_on: Day | null;
  created_at: Timestamp;
}

interface InvoicesTable {
  id: string;
  org_id: string;
  /** Both days are inclusive. */
  period_start: Day;
  period_end: Day;
  state: "open" | "overdue" | "paid";
  subtotal: Big;
  tax: Big;
  /** Whole cents. */
  total: Big;
  issued_at: Timestamp;
  due_at: Timestamp;
  overdue_at: Timestamp | null;
  paid_at: Timestamp | null;
  /** In order of issue, without gaps; null for invoices that predate numbering. */
  number: ColumnType<string | null, string | null | undefined, never>;
  tax_name: WithDefault<string>;
  tax_millionths: WithDefault<string | bigint>;
  /** Total of the invoice's credit notes. */
  credited: WithDefault<string | bigint>;
}

/** A country's tax on invoices and when it takes effect. Rows never change. */
interface TaxRatesTable {
  id: string;
  country: string;
  name: string;
  millionths: Big;
  from_at: Timestamp;
  created_at: Timestamp;
}

/** Who is billed, as printed on invoices. */
interface BillingProfilesTable {
  org_id: string;
  legal_name: string;
  address: string;
  /** ISO 3166, two letters. */
  country: string;
  tax_id: string;
  /** Set by an operator: no tax is due. */
  is_exempt: WithDefault<boolean>;
}

interface InvoiceCountersTable {
  series: string;
  last_number: Big;
}

/** A reduction of an invoice. Rows never change. */
interface CreditNotesTable {
  id: string;
  number: string;
  org_id: string;
  invoice_id: string;
  /** Unique per invoice. */
  source: string;
  net: Big;
  tax: Big;
  total: Big;
  reason: string;
  issued_at: Timestamp;
}

interface InvoiceLinesTable {
  invoice_id: string;
  seq: number;
  metric: string;
  vendor: string;
  quantity: Big;
  amount: Big;
}

/** Numbers with a rent, and their renewal state. */
interface BillingNumbersTable {
  number_id: string;
  org_id: string;
  e164: string;
  carrier: string;
  state: "active" | "noticed" | "overdue" | "release_pending" | "released";
  added_at: Timestamp;
  /** Renewals so far: the next anniversary is this plus one months after `added_at`. */
  renewals: WithDefault<number>;
  overdue_at: Timestamp | null;
  released_at: Timestamp | null;
}

/** Payments received or awaited; contains no card data. */
interface PaymentsTable {
  id: string;
  org_id: string;
  provider: "stripe" | "manual";
  purpose: "top_up" | "auto_top_up" | "invoice";
  invoice_id: ColumnType<string | null, string | null | undefined, never>;
  /** Whole cents: the amount asked for, or once `succeeded`, the amount received. */
  amount: Big;
  state: "pending" | "succeeded" | "failed";
  /** The payer allows later top-ups by the same method. */
  keeps_method: boolean;
  /** The provider's id of the payment. */
  intent_id: ColumnType<string | null, string | null | undefined, string | null>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Timestamp;
  settled_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** Provider events already handled, so that each is booked once. */
interface PaymentEventsTable {
  event_id: string;
  received_at: Timestamp;
}

/** Reported before the payments they take back. */
interface EarlyReversalsTable {
  /** Unique per report. */
  source: string;
  kind: "reversed" | "restored";
  intent_id: string;
  /** In micros. */
  amount: Big;
  received_at: Timestamp;
}

/** A provider's id of an organization, and when it is charged automatically. */
interface PaymentMethodsTable {
  org_id: string;
  customer_id: string;
  method_id: string | null;
  top_up_below: ColumnType<string | null, string | bigint | null | undefined, string | bigint | null>;
  top_up_amount: ColumnType<string | null, string | bigint | null | undefined, string | bigint | null>;
  /** Why automatic top-ups are paused. */
  paused_for: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface BillingTables {
  tax_rates: TaxRatesTable;
  billing_profiles: BillingProfilesTable;
  invoice_counters: InvoiceCountersTable;
  credit_notes: CreditNotesTable;
  payments: PaymentsTable;
  payment_events: PaymentEventsTable;
  early_reversals: EarlyReversalsTable;
  payment_methods: PaymentMethodsTable;
  invoices: InvoicesTable;
  invoice_lines: InvoiceLinesTable;
  billing_numbers: BillingNumbersTable;
  billing_accounts: BillingAccountsTable;
  ledger_transactions: LedgerTransactionsTable;
  ledger_entries: LedgerEntriesTable;
  ledger_balances: LedgerBalancesTable;
  billed_calls: BilledCallsTable;
  spending_limits: SpendingLimitsTable;
  prices: PricesTable;
  usage_rows: UsageRowsTable;
  counted_app_calls: CountedAppCallsTable;
  usage_days: UsageDaysTable;
  campaign_days: CampaignDaysTable;
}
