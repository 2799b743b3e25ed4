import { randomUUID } from "node:crypto";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import { dun } from "../invoices/dunning.ts";
import { addCredited, findInvoice, moveInvoice, nextNumber, outstandingOf } from "../invoices/store.ts";
import { post } from "../ledger/post.ts";
import { CURRENCY, partOf, toDecimal, toWholeCents } from "../money.ts";
import { lockAccount } from "../wallet/account-store.ts";
import { type CreditNote, insertCreditNote, listCreditNotes } from "./store.ts";

export interface NewCreditNote {
  readonly invoiceId: string;
  /** In micros, whole cents, with its share of the tax. */
  readonly amount: bigint;
  /** The reason printed on the note; an invoice has at most one note per reason. */
  readonly reason: string;
  readonly at: Date;
}

/**
 * Credits part of an invoice, with its share of the tax. Payments beyond the new total become owed to the organization.
 * False if the note was issued before. Throws `AppError` not_found; validation_failed if more than is left of the
 * invoice.
 */
export async function issueCreditNote(
  { db }: Pick<Database, "db">,
  { invoiceId, amount, reason, at }: NewCreditNote,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const found = await findInvoice(trx, invoiceId);
    if (!found) throw new AppError("not_found", `There is no invoice ${invoiceId}.`);
    const account = await lockAccount(trx, found.orgId, at);
    const invoice = (await findInvoice(trx, invoiceId)) ?? found;
    const earlier = await listCreditNotes(trx, invoiceId);
    if (earlier.some(({ source }) => source === reason)) return false;
    const left = outstandingOf(invoice);
    if (amount > left || amount !== toWholeCents(amount))
      throw new AppError(
        "validation_failed",
        `A credit note must be in whole cents, and at most ${toDecimal(left)} ${CURRENCY} here.`,
      );
    const note = sharesOf({ invoice, amount, earlier });
    const { orgId } = invoice;
    const number = await nextNumber(trx, "CN", at);
    const about = { orgId, invoiceId, number, source: reason, reason, issuedAt: at };
    await insertCreditNote(trx, { id: randomUUID(), ...about, ...note });
    await post(trx, {
      orgId,
      kind: "credit",
      source: `credit note ${number}`,
      at,
      entries: { receivable: amount, tax: -note.tax, credits: -note.net },
    });
    await addCredited(trx, invoiceId, amount);
    if (amount === left && invoice.state !== "paid") await moveInvoice(trx, invoiceId, { state: "paid", at });
    await dun(trx, account, at);
    return true;
  });
}

/** The last note of an invoice takes whatever tax is left, so that all notes together add up to the cent. */
function sharesOf({
  invoice,
  amount,
  earlier,
}: {
  readonly invoice: { readonly tax: bigint; readonly total: bigint; readonly credited: bigint };
  readonly amount: bigint;
  readonly earlier: readonly CreditNote[];
}): Pick<CreditNote, "net" | "tax" | "total"> {
  const taxLeft = earlier.reduce((rest, note) => rest - note.tax, invoice.tax);
  const isLast = amount === outstandingOf(invoice);
  const share = toWholeCents(partOf(amount, { part: invoice.tax, whole: invoice.total }));
  const tax = isLast ? taxLeft : share;
  return { net: amount - tax, tax, total: amount };
}
