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
import { isSuspended, tooLittle } from "./refusals.ts";

/** A message that begins a conversation, or takes one up again, at the organization's cost. */
export interface MessageToAdmit {
  readonly orgId: string;
  readonly channel: string;
  /** The API key that asks for it; empty for people and campaigns. */
  readonly keyId: string;
  readonly at: Date;
}

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
    if (suspendedAt !== null) throw isSuspended(suspendedAt);
    const vendor = templateVendor(channel);
    const price = choosePrice(await readPrices(trx, [orgId]), { orgId, metric: "messages", vendor, at });
    const estimate = price ? amountOf(1n, price) : 0n;
    const about = { orgId, agentId: "", keyId, campaignId: "", estimate, now: at };
    await addWarnings(trx, queue, { orgId, limits: await holdToLimits(trx, about) });
    if (plan !== "prepaid") return;
    const { wallet } = await readBalances(trx, orgId);
    if (wallet < estimate || wallet < 0n) throw tooLittle(wallet, estimate, "this message costs");
  };
}
