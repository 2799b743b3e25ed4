import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { reopenInvoice } from "../invoices/store.ts";
import { post } from "../ledger/post.ts";
import { lockAccount } from "../wallet/account-store.ts";
import { keepEarly, lockIntent, type Reversal, takeEarly } from "./early-reversals.ts";
import { keepMethod, pauseAutoTopUp } from "./method-store.ts";
import type { PaymentNews } from "./provider.ts";
import { addToWallet, payInvoice } from "./record-payment.ts";
import { findPayment, movePayment, nameIntent, type Payment } from "./store.ts";

type Trx = Kysely<Tables>;

/**
 * Books a provider's report once: a payment that arrived, even one already given up, or money taken back, which may be
 * reported before its payment. Returns false if the payment is not ours, or not known yet.
 */
export async function settle(trx: Trx, news: PaymentNews, at: Date): Promise<boolean> {
  const intentId = "intentId" in news ? news.intentId : null;
  if (intentId !== null) await lockIntent(trx, intentId);
  const by = "paymentId" in news ? { id: news.paymentId } : { intentId: news.intentId };
  const found = await findPayment(trx, by);
  if (!found) {
    if (news.kind === "reversed" || news.kind === "restored") await keepEarly(trx, news, at);
    return false;
  }
  await lockAccount(trx, found.orgId, at);
  const payment = (await findPayment(trx, { id: found.id })) ?? found;
  if (news.kind === "paid") {
    await settlePaid(trx, payment, { ...news, at });
    const early = intentId === null ? [] : await takeEarly(trx, intentId);
    for (const reversal of early) await moveBack(trx, payment, { ...reversal, at });
  } else if (news.kind === "failed") await fail(trx, payment, { reason: news.reason, at });
  else await moveBack(trx, payment, { ...news, at });
  return true;
}

type At<T> = T & { readonly at: Date };

async function settlePaid(
  trx: Trx,
  payment: Payment,
  { amount, intentId, methodId, at }: At<Extract<PaymentNews, { kind: "paid" }>>,
): Promise<void> {
  const { id, orgId, invoiceId, state, keepsMethod } = payment;
  if (methodId !== null && keepsMethod) await keepMethod(trx, orgId, methodId);
  if (state === "succeeded") {
    if (intentId !== null) await nameIntent(trx, id, intentId);
    return;
  }
  await movePayment(trx, id, { state: "succeeded", amount, intentId, at });
  if (amount === 0n) return;
  const received = { orgId, amount, source: id, at };
  if (invoiceId === null) await addToWallet(trx, received);
  else await payInvoice(trx, invoiceId, received);
}

async function fail(trx: Trx, { id, state }: Payment, { reason, at }: { reason: string; at: Date }) {
  if (state === "pending") await movePayment(trx, id, { state: "failed", failure: reason, at });
}

/** May take a wallet below zero; an invoice is reopened and dunned. */
async function moveBack(
  trx: Trx,
  { orgId, invoiceId }: Payment,
  { kind, amount, source, at }: At<Reversal>,
): Promise<void> {
  const moved = kind === "reversed" ? -amount : amount;
  const account = invoiceId === null ? "wallet" : "receivable";
  const entries = { [account]: moved, cash: -moved };
  if (!(await post(trx, { orgId, kind: "refund", source, at, entries }))) return;
  if (invoiceId !== null) await reopenInvoice(trx, invoiceId, { isPaid: kind === "restored", at });
  if (kind === "reversed")
    await pauseAutoTopUp(trx, orgId, "A payment was disputed or refunded. Set it again to go on.");
}
