import type { Clock } from "@parley/shared/clock.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../../database/open.ts";
import type { Messenger } from "../../identity/notifications/messenger.ts";
import { mailOwners } from "../../identity/notifications/owners.ts";
import { topUpFailedMessage } from "../../identity/notifications/texts.ts";
import { every, type JobHandler } from "../../jobs/job-kind.ts";
import { readBalances } from "../ledger/post.ts";
import { CURRENCY, toDecimal } from "../money.ts";
import { lockAccount } from "../wallet/account-store.ts";
import { forgetEarly } from "./early-reversals.ts";
import { findLow, findMethod, type PaymentMethod, pauseAutoTopUp } from "./method-store.ts";
import type { Charged, PaymentProvider } from "./provider.ts";
import { settle } from "./settle.ts";
import { insertPayment, listPayments, type Payment } from "./store.ts";

const EVERY_MS = 15_000;
const HOUR_MS = 3_600_000;
/** Providers forget idempotency keys after a day; asking again later would charge twice. */
const ASK_AGAIN_MS = 20 * HOUR_MS;
/** Providers resend events for three days. */
const EVENTS_KEPT_MS = 30 * 24 * HOUR_MS;

export interface AutoTopUpDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly provider: PaymentProvider;
  readonly messenger: Pick<Messenger, "post">;
  readonly baseUrl: () => string;
}

/** Tops up low wallets with the payment methods that organizations keep at the provider. */
export function topsUp(deps: AutoTopUpDeps): JobHandler {
  return every(EVERY_MS, "top_up_wallets", (signal) => topUpLow(deps, signal));
}

export async function topUpLow(deps: AutoTopUpDeps, signal: AbortSignal): Promise<void> {
  const { database, clock, log } = deps;
  for (const orgId of await findLow(database.db)) {
    if (signal.aborted) return;
    try {
      await topUp(orgId, deps);
    } catch (error) {
      log.warn({ event: "top_up_failed", orgId, err: messageOf(error) }, "failed to top up a wallet");
    }
  }
  const forgotten = new Date(clock.wallMs() - EVENTS_KEPT_MS);
  await database.db.deleteFrom("payment_events").where("received_at", "<", forgotten).execute();
  await forgetEarly(database.db, forgotten);
}

/** One payment at a time: until it settles, asking again repeats the same request. */
async function topUp(orgId: string, deps: AutoTopUpDeps): Promise<void> {
  const { database, clock, provider } = deps;
  const begun = await beginOne(orgId, deps);
  if (!begun || !provider.charge) return;
  const { payment, method } = begun;
  if (method.methodId === null) return;
  const { id: paymentId, amount, createdAt } = payment;
  const isOld = clock.wallMs() - createdAt.getTime() > ASK_AGAIN_MS;
  const charge = { paymentId, orgId, amount, customerId: method.customerId, methodId: method.methodId };
  const title = `Automatic top-up of ${toDecimal(amount)} ${CURRENCY}`;
  const charged: Charged = isOld
    ? { state: "failed", reason: "The payment service never said whether it was paid." }
    : await provider.charge({ ...charge, title });
  if (charged.state === "pending") return;
  const at = new Date(clock.wallMs());
  await database.db.transaction().execute(async (trx) => {
    if (charged.state === "succeeded")
      await settle(trx, { kind: "paid", paymentId, methodId: null, ...charged }, at);
    else {
      await settle(trx, { kind: "failed", paymentId, reason: charged.reason }, at);
      await pauseAutoTopUp(trx, orgId, charged.reason);
    }
  });
  if (charged.state === "failed") await tellOwners(orgId, { amount, reason: charged.reason }, deps);
}

async function beginOne(
  orgId: string,
  { database, clock, provider }: AutoTopUpDeps,
): Promise<{ payment: Pick<Payment, "id" | "amount" | "createdAt">; method: PaymentMethod } | undefined> {
  return database.db.transaction().execute(async (trx) => {
    const now = new Date(clock.wallMs());
    await lockAccount(trx, orgId, now);
    const method = await findMethod(trx, orgId);
    if (!method?.autoTopUp || method.pausedFor !== null) return undefined;
    const isAuto = ({ purpose, state }: Payment) => purpose === "auto_top_up" && state === "pending";
    const underWay = (await listPayments(trx, orgId)).find(isAuto);
    if (underWay) return { payment: underWay, method };
    const { below, amount } = method.autoTopUp;
    const { wallet } = await readBalances(trx, orgId);
    if (wallet >= below) return undefined;
    const payment = { id: newId("pay"), amount, createdAt: now };
    const about = { orgId, provider: provider.name, purpose: "auto_top_up", invoiceId: null } as const;
    const isNew = await insertPayment(trx, { ...payment, ...about, keepsMethod: false });
    if (!isNew) throw new AppError("conflict", "Another top-up is in progress. Wait for it to finish.");
    return { payment, method };
  });
}

async function tellOwners(
  orgId: string,
  { amount, reason }: { readonly amount: bigint; readonly reason: string },
  { database, messenger, baseUrl }: AutoTopUpDeps,
): Promise<void> {
  const about = { amount: `${toDecimal(amount)} ${CURRENCY}`, reason, link: baseUrl() };
  const message = (email: string) => topUpFailedMessage(email, about);
  await mailOwners({ orgId, message }, { database, messenger });
}
