import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;
/** bigint: both databases give it as text. */
type Big = ColumnType<string, string | bigint, string | bigint>;
/** `YYYY-MM-DD`, read with `::text`. */
type Day = ColumnType<string, string, string>;

/** What things cost, from when on. Never changed: a new price is a new row. */
interface PricesTable {
  id: string;
  /** Empty: of all organizations that have no price of their own. */
  org_id: string;
  metric: string;
  /** Empty: of all vendors without a price of their own. */
  vendor: string;
  micros: Big;
  per: Big;
  from_at: Timestamp;
  created_at: Timestamp;
}

/** What was used, once for each source and metric. Never changed. */
interface UsageRowsTable {
  source: string;
  metric: string;
  org_id: string;
  session_id: string | null;
  /** Empty: of none, as key_id. */
  agent_id: string;
  key_id: string;
  channel: string;
  vendor: string;
  quantity: Big;
  price_id: string | null;
  amount: Big;
  at: Timestamp;
}

/** The sums of `usage_rows` by day, UTC. */
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
  /** What invoices have of it. */
  invoiced_quantity: WithDefault<string>;
  invoiced: WithDefault<string>;
}

/** How an organization pays, and whether it may call. */
interface BillingAccountsTable {
  org_id: string;
  plan: WithDefault<"prepaid" | "postpaid">;
  state: WithDefault<"active" | "suspended">;
  suspended_at: Timestamp | null;
  /** Of postpaid ones: the first day that no invoice was made for yet. */
  invoiced_to: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Timestamp;
}

/** Never changed, as its entries. */
interface LedgerTransactionsTable {
  id: string;
  org_id: string;
  kind: string;
  /** What it follows from: there is one of each. */
  source: string;
  at: Timestamp;
}

/** Their sum is zero in each transaction: the database refuses others. */
interface LedgerEntriesTable {
  transaction_id: string;
  account: string;
  org_id: string;
  amount: Big;
}

/** The sums of `ledger_entries`, kept beside them. */
interface LedgerBalancesTable {
  org_id: string;
  account: string;
  balance: Big;
}

/** Who asked for a call, what it is expected to cost, and what of the wallet is held for it. */
interface BilledCallsTable {
  session_id: string;
  org_id: string;
  /** Empty: of none, as `key_id`. */
  agent_id: string;
  key_id: string;
  estimate: Big;
  held: Big;
  /** It is over. */
  settled_at: Timestamp | null;
  created_at: Timestamp;
}

interface SpendingLimitsTable {
  id: string;
  org_id: string;
  scope: "organization" | "agent" | "key";
  /** Empty for the organization's own. */
  scope_id: string;
  period: "day" | "month";
  kind: "soft" | "hard";
  amount: Big;
  /** The first day of the period in which somebody was warned last. */
  warned_on: Day | null;
  created_at: Timestamp;
}

interface InvoicesTable {
  id: string;
  org_id: string;
  /** Both days are included. */
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
  /** In the order in which they were issued, without gaps; null for those of before there were numbers. */
  number: ColumnType<string | null, string | null | undefined, never>;
  tax_name: WithDefault<string>;
  tax_millionths: WithDefault<string | bigint>;
  /** What credit notes took off the total. */
  credited: WithDefault<string | bigint>;
}

/** What a country takes of invoices, from when on. Never changed. */
interface TaxRatesTable {
  id: string;
  country: string;
  name: string;
  millionths: Big;
  from_at: Timestamp;
  created_at: Timestamp;
}

/** Who is billed, as invoices say it. */
interface BillingProfilesTable {
  org_id: string;
  legal_name: string;
  address: string;
  /** ISO 3166, two letters. */
  country: string;
  tax_id: string;
  /** An operator says that no tax is due. */
  is_exempt: WithDefault<boolean>;
}

interface InvoiceCountersTable {
  series: string;
  last_number: Big;
}

/** What an invoice was too much. Never changed. */
interface CreditNotesTable {
  id: string;
  number: string;
  org_id: string;
  invoice_id: string;
  /** One of each for an invoice. */
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

/** Numbers that cost a rent, with where they are in their renewal. */
interface BillingNumbersTable {
  number_id: string;
  org_id: string;
  e164: string;
  carrier: string;
  state: "active" | "noticed" | "overdue" | "release_pending" | "released";
  added_at: Timestamp;
  /** How often it was renewed: the next anniversary is one month more after `added_at`. */
  renewals: WithDefault<number>;
  overdue_at: Timestamp | null;
  released_at: Timestamp | null;
}

/** Money that came or is awaited; of nobody's card is anything here. */
interface PaymentsTable {
  id: string;
  org_id: string;
  provider: "stripe" | "manual";
  purpose: "top_up" | "auto_top_up" | "invoice";
  invoice_id: ColumnType<string | null, string | null | undefined, never>;
  /** What was asked for, whole cents; what came once it is `succeeded`. */
  amount: Big;
  state: "pending" | "succeeded" | "failed";
  /** Whoever pays lets later top-ups be taken the same way. */
  keeps_method: boolean;
  /** The provider's own name of it. */
  intent_id: ColumnType<string | null, string | null | undefined, string | null>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Timestamp;
  settled_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** What a provider told, so that it is told once. */
interface PaymentEventsTable {
  event_id: string;
  received_at: Timestamp;
}

/** How a provider knows an organization, and when it is asked for more by itself. */
interface PaymentMethodsTable {
  org_id: string;
  customer_id: string;
  method_id: string | null;
  top_up_below: ColumnType<string | null, string | bigint | null | undefined, string | bigint | null>;
  top_up_amount: ColumnType<string | null, string | bigint | null | undefined, string | bigint | null>;
  /** Why nothing is taken by itself at the moment. */
  paused_for: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface BillingTables {
  tax_rates: TaxRatesTable;
  billing_profiles: BillingProfilesTable;
  invoice_counters: InvoiceCountersTable;
  credit_notes: CreditNotesTable;
  payments: PaymentsTable;
  payment_events: PaymentEventsTable;
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
  usage_days: UsageDaysTable;
}
