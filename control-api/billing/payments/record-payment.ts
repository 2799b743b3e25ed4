import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { dun } from "../invoices/dunning.ts";
import { findInvoice, moveInvoice, outstandingOf } from "../invoices/store.ts";
import { post } from "../ledger/post.ts";
import { lockAccount } from "../wallet/account-store.ts";
import { assertThere } from "../wallet/credit.ts";

type Trx = Kysely<Tables>;

export interface Received {
  readonly orgId: string;
  /** In micros, above 0. */
  readonly amount: bigint;
  /** The payment's id at its provider; recorded once. */
  readonly source: string;
  readonly at: Date;
}

/** Adds to a prepaid organization's balance. False if the payment was already recorded. Throws `AppError` not_found. */
export async function recordTopUp(database: Pick<Database, "db">, received: Received): Promise<boolean> {
  return database.db.transaction().execute((trx) => addToWallet(trx, received));
}

export async function addToWallet(trx: Trx, { orgId, amount, source, at }: Received): Promise<boolean> {
  await assertThere(trx, orgId);
  await lockAccount(trx, orgId, at);
  const entries = { wallet: amount, cash: -amount };
  return post(trx, { orgId, kind: "payment", source: `payment ${source}`, at, entries });
}

/**
 * Marks an invoice as paid in full and reactivates an account suspended for it. Returns false if the invoice was
 * already paid. Throws `AppError` not_found.
 */
export async function recordInvoicePaid(
  database: Pick<Database, "db">,
  { invoiceId, source, at }: { readonly invoiceId: string; readonly source: string; readonly at: Date },
): Promise<boolean> {
  return database.db.transaction().execute(async (trx) => {
    const found = await findInvoice(trx, invoiceId);
    if (!found) throw new AppError("not_found", `There is no invoice ${invoiceId}.`);
    const { orgId } = found;
    await lockAccount(trx, orgId, at);
    const invoice = (await findInvoice(trx, invoiceId)) ?? found;
    if (invoice.state === "paid") return false;
    await payInvoice(trx, invoiceId, { orgId, amount: outstandingOf(invoice), source, at });
    return true;
  });
}

/** Books a payment for an invoice, which is paid once fully covered. The organization is owed any excess. */
export async function payInvoice(trx: Trx, invoiceId: string, received: Received): Promise<void> {
  const { orgId, amount, source, at } = received;
  const account = await lockAccount(trx, orgId, at);
  const entries = { receivable: amount, cash: -amount };
  await post(trx, { orgId, kind: "payment", source: `payment ${source}`, at, entries });
  const invoice = await findInvoice(trx, invoiceId);
  if (!invoice || invoice.state === "paid" || amount < outstandingOf(invoice)) return;
  await moveInvoice(trx, invoiceId, { state: "paid", at });
  await dun(trx, account, at);
}
