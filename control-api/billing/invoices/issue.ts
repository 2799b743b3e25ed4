import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { post } from "../ledger/post.ts";
import { addDays, addMonths, dayOf, inWords } from "../lifecycle/days.ts";
import { TERMS } from "../lifecycle/terms.ts";
import { CURRENCY, shareOf, toDecimal, toWholeCents } from "../money.ts";
import { findTax } from "../taxes/store.ts";
import { raiseBillingEvent } from "../telling/raise.ts";
import { type Invoice, insertInvoice, nextNumber, takeUninvoiced } from "./store.ts";

type Trx = Kysely<Tables>;

/**
 * Issues an invoice for each finished month without one, covering all usage not yet invoiced; skips empty ones. The
 * account is locked. `from` is the first day without an invoice.
 */
export async function issueInvoices(
  trx: Trx,
  { orgId, from, now }: { readonly orgId: string; readonly from: string; readonly now: Date },
): Promise<void> {
  let start = new Date(`${from}T00:00:00.000Z`);
  let next = monthAfter(start);
  if (next > now) return;
  for (; next <= now; start = next, next = monthAfter(next))
    await issue(trx, { orgId, periodStart: dayOf(start), periodEnd: dayOf(addDays(next, -1)), now });
  await trx
    .updateTable("billing_accounts")
    .set({ invoiced_to: dayOf(start) })
    .where("org_id", "=", orgId)
    .execute();
}

function monthAfter(day: Date): Date {
  return addMonths(new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1)), 1);
}

interface Period {
  readonly orgId: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly now: Date;
}

async function issue(trx: Trx, { orgId, periodStart, periodEnd, now }: Period): Promise<void> {
  const lines = await takeUninvoiced(trx, orgId, periodEnd);
  if (lines.length === 0) return;
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0n);
  const net = toWholeCents(subtotal);
  const { name: taxName, millionths: taxMillionths } = await findTax(trx, orgId, now);
  const tax = toWholeCents(shareOf(net, taxMillionths));
  const total = net + tax;
  const isPaid = total === 0n;
  const invoice: Invoice = {
    id: randomUUID(),
    orgId,
    periodStart,
    periodEnd,
    state: isPaid ? "paid" : "open",
    number: await nextNumber(trx, "INV", now),
    ...{ subtotal, taxName, taxMillionths, tax, total },
    credited: 0n,
    issuedAt: now,
    dueAt: addDays(now, TERMS.dueDays),
    overdueAt: null,
    paidAt: isPaid ? now : null,
  };
  await insertInvoice(trx, invoice, lines);
  await post(trx, {
    orgId,
    kind: "invoice",
    source: `invoice ${invoice.id}`,
    at: now,
    entries: { unbilled: subtotal, receivable: -total, tax, rounding: net - subtotal },
  });
  await tellInvoice(trx, "billing.invoice_issued", { invoice, at: now });
}

export async function tellInvoice(
  trx: Trx,
  event: "billing.invoice_issued" | "billing.payment_overdue",
  { invoice, at }: { readonly invoice: Invoice; readonly at: Date },
): Promise<void> {
  const { id: invoiceId, orgId, periodStart, periodEnd, total, dueAt } = invoice;
  const about = { invoiceId, periodStart, periodEnd, totalBilled: toDecimal(total) };
  await raiseBillingEvent(trx, {
    orgId,
    at,
    event: { event, ...about, currency: CURRENCY, dueOn: inWords(dueAt) },
  });
}
