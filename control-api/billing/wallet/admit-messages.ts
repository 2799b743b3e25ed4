import type { MessageToAdmit } from "@parley/shared/contracts/billing.ts";
import type { Kysely } from "kysely";
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

/**
 * Throws `AppError` payment_required, spending_limit_reached. Answers in a conversation that goes on are not asked about, as
 * calls that go on are not cut.
 */
export type AdmitMessage = (trx: Kysely<Tables>, message: MessageToAdmit) => Promise<void>;

export interface AdmitMessagesDeps {
  readonly isOn: boolean;
  readonly queue: JobQueue;
}

/**
 * Refuses a template that cannot be paid for. It locks nothing, as whoever counts a message locks its conversation before
 * the account: messages that are queued meanwhile may take the balance below zero.
 */
export function admitsMessages({ isOn, queue }: AdmitMessagesDeps): AdmitMessage {
  return async (trx, { orgId, channel, keyId, at }) => {
    if (!isOn) return;
    const { plan, suspendedAt } = await readAccount(trx, orgId);
    if (suspendedAt !== null) throw suspendedError(suspendedAt);
    const vendor = templateVendor(channel);
    const price = choosePrice(await readPrices(trx, [orgId]), { orgId, metric: "messages", vendor, at });
    const estimate = price ? amountOf(1n, price) : 0n;
    const about = { orgId, agentId: "", keyId, campaignId: "", estimate, now: at };
    await addWarnings(trx, queue, { orgId, limits: await holdToLimits(trx, about) });
    if (plan !== "prepaid") return;
    const { wallet } = await readBalances(trx, orgId);
    if (wallet < estimate || wallet < 0n) throw balanceTooLowError(wallet, estimate, "this message costs");
  };
}
