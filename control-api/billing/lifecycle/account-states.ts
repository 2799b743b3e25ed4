import { addDays } from "./days.ts";
import { TERMS } from "./terms.ts";

/** What happens next to an unpaid invoice. */
interface InvoiceRule {
  readonly from: "open";
  readonly applies: (invoice: { readonly dueAt: Date }, now: Date) => boolean;
  readonly to: "overdue";
  readonly tells: "billing.payment_overdue";
}

/** Invoices go from `open` or `overdue` to `paid` when a person pays, not by a rule. */
export const INVOICE_RULES: readonly InvoiceRule[] = [
  {
    from: "open",
    applies: ({ dueAt }, now) => now >= dueAt,
    to: "overdue",
    tells: "billing.payment_overdue",
  },
];

export type AccountState = "active" | "suspended";

interface AccountFacts {
  /** When the organization was notified of its longest overdue invoice; null if none is overdue. */
  readonly overdueSince: Date | null;
  readonly now: Date;
}

interface AccountRule {
  readonly from: AccountState;
  readonly applies: (facts: AccountFacts) => boolean;
  readonly to: AccountState;
  readonly tells?: "billing.account_suspended";
}

export const ACCOUNT_RULES: readonly AccountRule[] = [
  {
    from: "active",
    applies: ({ overdueSince, now }) =>
      overdueSince !== null && now >= addDays(overdueSince, TERMS.graceDays),
    to: "suspended",
    tells: "billing.account_suspended",
  },
  { from: "suspended", applies: ({ overdueSince }) => overdueSince === null, to: "active" },
];
