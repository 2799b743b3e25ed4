import type { Clock } from "@parley/shared/clock.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Database } from "../../database/open.ts";
import { findInvoice, outstandingOf } from "../invoices/store.ts";
import { CURRENCY, toDecimal } from "../money.ts";
import { readAccount } from "../wallet/account-store.ts";
import { findMethod, keepCustomer } from "./method-store.ts";
import type { Begun, PaymentProvider } from "./provider.ts";
import { countBegunSince, insertPayment, movePayment, type NewPayment } from "./store.ts";

const HOUR_MS = 3_600_000;
const MOST_AN_HOUR = 20;

export interface BeginDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly provider: PaymentProvider;
  readonly baseUrl: () => string;
}

type Wanted = Pick<NewPayment, "orgId" | "amount" | "purpose" | "invoiceId" | "keepsMethod">;

/** Throws `AppError` conflict if the organization is postpaid. */
export async function beginTopUp(
  { orgId, amount, keepsMethod }: Pick<Wanted, "orgId" | "amount" | "keepsMethod">,
  deps: BeginDeps,
): Promise<{ id: string; begun: Begun }> {
  const { plan } = await readAccount(deps.database.db, orgId);
  if (plan === "postpaid")
    throw new AppError("conflict", "This organization pays by invoice and has no balance to top up.");
  const title = `${toDecimal(amount)} ${CURRENCY} for calls`;
  return begin({ orgId, amount, keepsMethod, purpose: "top_up", invoiceId: null }, title, deps);
}

/** Throws `AppError` not_found; conflict if the invoice is paid. */
export async function beginInvoicePayment(
  { orgId, invoiceId }: { readonly orgId: string; readonly invoiceId: string },
  deps: BeginDeps,
): Promise<{ id: string; begun: Begun }> {
  const invoice = await findInvoice(deps.database.db, invoiceId);
  if (invoice?.orgId !== orgId)
    throw new AppError("not_found", "There is no such invoice in this organization.");
  if (invoice.state === "paid") throw new AppError("conflict", "This invoice is paid.");
  const { number, periodStart, periodEnd } = invoice;
  const amount = outstandingOf(invoice);
  const title = `Invoice ${number ?? ""} of ${periodStart} – ${periodEnd}`;
  return begin({ orgId, amount, keepsMethod: false, purpose: "invoice", invoiceId }, title, deps);
}

/** Stored before the provider is asked, so that whatever the provider reports is known here. */
async function begin(
  wanted: Wanted,
  title: string,
  { database: { db }, clock, provider, baseUrl }: BeginDeps,
): Promise<{ id: string; begun: Begun }> {
  const { orgId, amount, keepsMethod } = wanted;
  const createdAt = new Date(clock.wallMs());
  if ((await countBegunSince(db, orgId, new Date(createdAt.getTime() - HOUR_MS))) >= MOST_AN_HOUR)
    throw new AppError(
      "too_many_requests",
      `At most ${MOST_AN_HOUR} payments can be started in an hour. Try again later.`,
      {
        retryAfterSecs: HOUR_MS / 1_000,
      },
    );
  const id = newId("pay");
  await insertPayment(db, { ...wanted, id, provider: provider.name, createdAt });
  const customerId = (await findMethod(db, orgId))?.customerId ?? null;
  try {
    const order = { paymentId: id, orgId, amount, title, keepsMethod, customerId };
    const begun = await provider.begin({ ...order, returnUrl: `${baseUrl()}/billing` });
    if (begun.kind === "redirect") await keepCustomer(db, orgId, begun.customerId);
    return { id, begun };
  } catch (error) {
    const at = new Date(clock.wallMs());
    await movePayment(db, id, { state: "failed", failure: messageOf(error), at });
    throw error instanceof AppError
      ? error
      : new AppError(
          "unavailable",
          "The payment service declined this payment. Try another payment method.",
          { cause: error },
        );
  }
}
