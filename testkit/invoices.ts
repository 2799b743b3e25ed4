import { issueInvoices } from "@parley/control-api/billing/invoices/issue.ts";
import { listUnpaid } from "@parley/control-api/billing/invoices/store.ts";
import { insertUsage } from "@parley/control-api/billing/metering/usage-store.ts";
import { changePlan } from "@parley/control-api/billing/wallet/change-plan.ts";
import { chargeUsage } from "@parley/control-api/billing/wallet/charge.ts";
import type { Database } from "@parley/control-api/database/open.ts";
import type { Clock } from "@parley/shared/clock.ts";

/** Makes an organization postpaid and issues an invoice of this amount for the previous month. */
export async function addInvoice(
  database: Database,
  { orgId, amount, clock }: { readonly orgId: string; readonly amount: bigint; readonly clock: Clock },
): Promise<{ invoiceId: string }> {
  const now = new Date(clock.wallMs());
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  const at = new Date(first - 86_400_000);
  await changePlan(database, { orgId, plan: "postpaid", at });
  const about = { orgId, agentId: "", keyId: "", sessionId: null, channel: "telephony", vendor: "telnyx" };
  const used = { ...about, priceId: null, source: `invoiced ${orgId}`, metric: "call_seconds", at };
  await database.db.transaction().execute(async (trx) => {
    const rows = await insertUsage(trx, [{ ...used, quantity: 60n, amount }]);
    await chargeUsage(trx, { used: rows, ended: [], now: at });
    await issueInvoices(trx, { orgId, from: at.toISOString().slice(0, 10), now });
  });
  const [invoice] = await listUnpaid(database.db, orgId);
  if (!invoice) throw new Error("no invoice was issued");
  return { invoiceId: invoice.id };
}
