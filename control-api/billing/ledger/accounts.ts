/**
 * Each organization's accounts in the ledger. A balance above zero is owed to the organization or was earned from it;
 * all accounts together sum to zero.
 */
export const LEDGER_ACCOUNTS = {
  wallet: "What a prepaid organization has left.",
  held: "What of that is held for calls.",
  unbilled: "Below zero: what a postpaid organization has used since its last invoice.",
  receivable: "Below zero: what it owes for invoices.",
  revenue: "What it used, as it was charged.",
  tax: "What invoices have of taxes.",
  cash: "Below zero: what it paid.",
  credits: "Below zero: what it was given.",
  rounding: "What invoices are off by, in whole cents.",
} as const;
export type LedgerAccount = keyof typeof LEDGER_ACCOUNTS;
