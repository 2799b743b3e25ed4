import { amountOf } from "../money.ts";
import { choosePrice, type Price } from "../prices/choose-price.ts";
import type { Measured } from "./measure.ts";
import type { UsageRow } from "./usage-store.ts";

/** Who used something, and when. */
export interface UsedBy {
  readonly orgId: string;
  /** Null for what belongs to no call. */
  readonly sessionId: string | null;
  /** Null without an agent. */
  readonly agentId: string | null;
  /** Empty without a key. */
  readonly keyId: string;
  /** Absent without a campaign. */
  readonly campaignId?: string;
  readonly channel: string;
  readonly at: Date;
}

/** A use at the price in force at the time. */
export function toUsageRow(measured: Measured, by: UsedBy, prices: readonly Price[]): UsageRow {
  const { orgId, sessionId, agentId, keyId, campaignId, channel, at } = by;
  const price = choosePrice(prices, { ...measured, orgId, at });
  return {
    ...measured,
    ...{ orgId, sessionId, agentId: agentId ?? "", keyId, channel, at },
    ...(campaignId && { campaignId }),
    priceId: price?.id ?? null,
    amount: price ? amountOf(measured.quantity, price) : 0n,
  };
}
