import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { ACCOUNT_RULES, INVOICE_RULES } from "../lifecycle/account-states.ts";
import { TERMS } from "../lifecycle/terms.ts";
import { raiseBillingEvent } from "../telling/raise.ts";
import type { BillingAccount } from "../wallet/account-store.ts";
import { tellInvoice } from "./issue.ts";
import { listUnpaid, moveInvoice } from "./store.ts";

type Trx = Kysely<Tables>;

/** Advances unpaid invoices and suspends or reactivates the account, as the state tables say. The account is locked. */
export async function dun(trx: Trx, account: BillingAccount, now: Date): Promise<BillingAccount> {
  const overdue: Date[] = [];
  for (const invoice of await listUnpaid(trx, account.orgId)) {
    const rule = INVOICE_RULES.find(({ from, applies }) => from === invoice.state && applies(invoice, now));
    if (rule) {
      await moveInvoice(trx, invoice.id, { state: rule.to, at: now });
      await tellInvoice(trx, rule.tells, { invoice, at: now });
    }
    const since = rule ? now : invoice.overdueAt;
    if (since) overdue.push(since);
  }
  const [overdueSince = null] = overdue;
  return moveAccount(trx, account, { overdueSince, now });
}

async function moveAccount(
  trx: Trx,
  account: BillingAccount,
  facts: { readonly overdueSince: Date | null; readonly now: Date },
): Promise<BillingAccount> {
  const { orgId, suspendedAt } = account;
  const state = suspendedAt === null ? "active" : "suspended";
  const rule = ACCOUNT_RULES.find(({ from, applies }) => from === state && applies(facts));
  if (!rule) return account;
  const at = rule.to === "suspended" ? facts.now : null;
  await trx
    .updateTable("billing_accounts")
    .set({ state: rule.to, suspended_at: at })
    .where("org_id", "=", orgId)
    .execute();
  if (rule.tells) {
    const event = { event: rule.tells, reason: "payment_overdue", graceDays: TERMS.graceDays };
    await raiseBillingEvent(trx, { orgId, at: facts.now, event });
  }
  return { ...account, suspendedAt: at };
}
