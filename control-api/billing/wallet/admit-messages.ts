import type { Admission, MessagesToAdmit, WaitingMessages } from "@parley/shared/contracts/billing.ts";
import { AppError } from "@parley/shared/errors.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { readBalances } from "../ledger/post.ts";
import { holdToLimits } from "../limits/hold-to-limits.ts";
import { readCampaignCosts } from "../limits/store.ts";
import { addWarnings } from "../limits/warn-owners.ts";
import { templateVendor } from "../metering/template-vendor.ts";
import { amountOf, parseDecimal } from "../money.ts";
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

/** What messages cost, in micros. */
interface Cost {
  /** Those that are asked for. */
  readonly asked: bigint;
  /** Those that wait to be counted, by scope. */
  readonly waiting: { readonly organization: bigint; readonly key: bigint; readonly campaign: bigint };
}

/**
 * Says how many of these templates can be paid for, besides those that wait to be sent. One transaction of an
 * organization asks at a time, and what it queues is seen by the next. It does not lock the account, for which all calls
 * would wait. With billing off only a campaign's budget bounds them.
 */
export function admitsMessages({ isOn, queue }: AdmitMessagesDeps): AdmitMessages {
  return async (trx, asked) => {
    const { orgId, messages } = asked;
    const budget = parseDecimal(asked.campaign?.budgetUsd ?? "");
    if (!isOn && budget === undefined) return { admitted: messages };
    await sql`select pg_advisory_xact_lock(hashtextextended(${`templates of ${orgId}`}, 0))`.execute(trx);
    const costOf = await pricesMessages(trx, asked);
    let waiting = await asked.waiting();
    let refusal: AppError | undefined;
    let admitted = messages;
    while (admitted > 0) {
      const cost = costOf(admitted, waiting);
      try {
        if (budget !== undefined) await assertWithinBudget(trx, asked, { budget, cost });
        if (isOn) await assertPaid(trx, asked, { cost, queue });
        break;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const still = await asked.waiting();
        // One that was counted meanwhile may be in both sums: as waiting, and as spent.
        const wasCounted = still.organization < waiting.organization;
        waiting = still;
        if (wasCounted) continue;
        refusal = error;
        admitted--;
      }
    }
    return { admitted, ...(refusal && { refusal }) };
  };
}

/** Each message is a row of usage, and rounded by itself. */
async function pricesMessages(
  trx: Trx,
  { orgId, channel, at }: MessagesToAdmit,
): Promise<(count: number, waiting: WaitingMessages) => Cost> {
  const vendor = templateVendor(channel);
  const price = choosePrice(await readPrices(trx, [orgId]), { orgId, metric: "messages", vendor, at });
  const one = price ? amountOf(1n, price) : 0n;
  const costOf = (count: number): bigint => BigInt(count) * one;
  return (count, { organization, key, campaign }) => ({
    asked: costOf(count),
    waiting: { organization: costOf(organization), key: costOf(key), campaign: costOf(campaign) },
  });
}

/** Throws `AppError` spending_limit_reached. */
async function assertWithinBudget(
  trx: Trx,
  { orgId, campaign }: MessagesToAdmit,
  { budget, cost }: { readonly budget: bigint; readonly cost: Cost },
): Promise<void> {
  if (!campaign) return;
  const costs = await readCampaignCosts(trx, orgId, [campaign.id]);
  const before = (costs.get(campaign.id) ?? 0n) + cost.waiting.campaign;
  if (before < budget && before + cost.asked <= budget) return;
  throw new AppError("spending_limit_reached", `Its budget of $${campaign.budgetUsd} is used up.`);
}

/** Throws `AppError` payment_required, spending_limit_reached. */
async function assertPaid(
  trx: Trx,
  asked: MessagesToAdmit,
  { cost, queue }: { readonly cost: Cost; readonly queue: JobQueue },
): Promise<void> {
  const { orgId, keyId, campaign, at: now } = asked;
  await assertCovered(trx, orgId, cost);
  const who = { orgId, agentId: "", keyId, campaignId: campaign?.id ?? "" };
  const limits = await holdToLimits(trx, { ...who, estimate: cost.asked, ahead: cost.waiting, now });
  await addWarnings(trx, queue, { orgId, limits });
}

/** Throws `AppError` payment_required. */
async function assertCovered(trx: Trx, orgId: string, { asked, waiting }: Cost): Promise<void> {
  const { plan, suspendedAt } = await readAccount(trx, orgId);
  if (suspendedAt !== null) throw suspendedError(suspendedAt);
  if (plan !== "prepaid") return;
  const needed = asked + waiting.organization;
  const { wallet } = await readBalances(trx, orgId);
  if (wallet >= needed && wallet >= 0n) return;
  const whatFor =
    needed === asked ? "this message costs" : "this message costs with those that wait to be sent";
  throw balanceTooLowError(wallet, needed, whatFor);
}
