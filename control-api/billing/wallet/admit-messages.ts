import type { Admission, MessagesToAdmit } from "@parley/shared/contracts/billing.ts";
import { AppError } from "@parley/shared/errors.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { readBalances } from "../ledger/post.ts";
import { holdToLimits } from "../limits/hold-to-limits.ts";
import { addWarnings } from "../limits/warn-owners.ts";
import { templateVendor } from "../metering/template-vendor.ts";
import { amountOf } from "../money.ts";
import { choosePrice } from "../prices/choose-price.ts";
import { readPrices } from "../prices/store.ts";
import { readAccount } from "./account-store.ts";
import { balanceTooLowError, suspendedError } from "./refusals.ts";

type Trx = Kysely<Tables>;

/** Answers in a conversation that goes on are not asked about, as calls that go on are not cut. */
export type AdmitMessages = (trx: Trx, messages: MessagesToAdmit) => Promise<Admission>;

export interface AdmitMessagesDeps {
  readonly isOn: boolean;
  readonly queue: JobQueue;
}

/**
 * Says how many of these templates can be paid for, besides those that wait to be sent. One transaction of an
 * organization asks at a time, and what it queues is seen by the next. It does not lock the account, for which all calls
 * would wait.
 */
export function admitsMessages({ isOn, queue }: AdmitMessagesDeps): AdmitMessages {
  return async (trx, asked) => {
    if (!isOn) return { admitted: asked.messages };
    const { orgId, channel, at } = asked;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`templates of ${orgId}`}, 0))`.execute(trx);
    const price = choosePrice(await readPrices(trx, [orgId]), {
      ...{ orgId, metric: "messages", vendor: templateVendor(channel), at },
    });
    const costOf = (count: number) => (price ? amountOf(BigInt(count), price) : 0n);
    const waiting = await asked.waiting();
    let refusal: AppError | undefined;
    for (let admitted = asked.messages; admitted > 0; admitted--) {
      try {
        const cost = { alone: costOf(admitted), withWaiting: costOf(waiting.organization + admitted) };
        await assertCovered(trx, asked, cost);
        const ahead = { organization: costOf(waiting.organization), key: costOf(waiting.key) };
        const who = { orgId, agentId: "", keyId: asked.keyId, campaignId: "", now: at };
        const limits = await holdToLimits(trx, { ...who, estimate: cost.alone, ahead });
        await addWarnings(trx, queue, { orgId, limits });
        return { admitted, ...(refusal && { refusal }) };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refusal = error;
      }
    }
    return { admitted: 0, ...(refusal && { refusal }) };
  };
}

/** Throws `AppError` payment_required. */
async function assertCovered(
  trx: Trx,
  { orgId }: MessagesToAdmit,
  { alone, withWaiting }: { readonly alone: bigint; readonly withWaiting: bigint },
): Promise<void> {
  const { plan, suspendedAt } = await readAccount(trx, orgId);
  if (suspendedAt !== null) throw suspendedError(suspendedAt);
  if (plan !== "prepaid") return;
  const { wallet } = await readBalances(trx, orgId);
  if (wallet >= withWaiting && wallet >= 0n) return;
  const whatFor = withWaiting === alone ? "this message costs" : "this message costs with those that wait";
  throw balanceTooLowError(wallet, withWaiting, whatFor);
}
