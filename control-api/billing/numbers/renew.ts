import type { Kysely } from "kysely";
import { deleteNumber } from "../../channels/numbers/store.ts";
import type { Tables } from "../../database/tables.ts";
import { readBalances } from "../ledger/post.ts";
import { type NumberRule, nextNumberStep } from "../lifecycle/number-states.ts";
import { insertUsage } from "../metering/usage-store.ts";
import type { Price } from "../prices/choose-price.ts";
import { raiseBillingEvent } from "../telling/raise.ts";
import type { BillingAccount } from "../wallet/account-store.ts";
import { chargeUsage } from "../wallet/charge.ts";
import { eventOf } from "./events.ts";
import { outlookOf } from "./outlook.ts";
import { type BilledNumber, moveNumber } from "./store.ts";

type Trx = Kysely<Tables>;

/** More steps mean a clock that is off by decades. */
const MOST_STEPS = 500;

export interface Renewing {
  readonly account: BillingAccount;
  readonly prices: readonly Price[];
  readonly now: Date;
}

/** Takes a number through its states until nothing is due. The account is locked. Skips numbers without a rent. */
export async function renewNumber(trx: Trx, number: BilledNumber, renewing: Renewing): Promise<void> {
  let at = number;
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = await takeStep(trx, at, renewing);
    if (!next) return;
    at = next;
  }
}

async function takeStep(
  trx: Trx,
  number: BilledNumber,
  renewing: Renewing,
): Promise<BilledNumber | undefined> {
  const { account, prices, now } = renewing;
  const { orgId, e164 } = number;
  const { wallet } = await readBalances(trx, orgId);
  const { plan, suspendedAt } = account;
  const outlook = outlookOf(number, { prices, plan, suspendedAt, wallet, now });
  if (!outlook) return undefined;
  const { facts, price, rent } = outlook;
  const { renewsAt, isCovered } = facts;
  const rule = nextNumberStep(number.state, facts);
  if (!rule) return undefined;
  if (rule.renews) await charge(trx, number, { renewsAt, price, rent, now });
  if (rule.tells) {
    const event = eventOf(rule.tells, { e164, rent, shortfall: isCovered ? null : rent - wallet, facts });
    await raiseBillingEvent(trx, { orgId, at: now, event });
  }
  return move(trx, number, { rule, now });
}

async function move(
  trx: Trx,
  number: BilledNumber,
  { rule, now }: { readonly rule: NumberRule; readonly now: Date },
): Promise<BilledNumber | undefined> {
  const moved = {
    ...number,
    state: rule.to,
    renewals: number.renewals + (rule.renews ? 1 : 0),
    overdueAt: rule.to === "overdue" ? now : null,
  };
  await moveNumber(trx, moved, now);
  if (rule.to !== "released") return moved;
  await deleteNumber({ db: trx }, number.orgId, number.numberId);
  return undefined;
}

interface Rent {
  readonly renewsAt: Date;
  readonly price: Price;
  /** In micros. */
  readonly rent: bigint;
  readonly now: Date;
}

/** Records the rent as ordinary usage, once per anniversary. */
async function charge(
  trx: Trx,
  { numberId, orgId, carrier }: BilledNumber,
  { renewsAt, price, rent, now }: Rent,
): Promise<void> {
  const used = await insertUsage(trx, [
    {
      source: `number ${numberId} ${renewsAt.toISOString()}`,
      metric: "number_months",
      orgId,
      sessionId: null,
      agentId: "",
      keyId: "",
      channel: "telephony",
      vendor: carrier,
      quantity: 1n,
      priceId: price.id,
      amount: rent,
      at: now,
    },
  ]);
  await chargeUsage(trx, { used, ended: [], now });
}
