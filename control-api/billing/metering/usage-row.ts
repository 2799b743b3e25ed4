import { amountOf } from "../money.ts";
import { choosePrice, type Price } from "../prices/choose-price.ts";
import type { Measured } from "./measure.ts";
import type { UsageRow } from "./usage-store.ts";

/** Whose use it was, and when. */
export interface UsedBy {
  readonly orgId: string;
  readonly sessionId: string;
  /** Null: of none. */
  readonly agentId: string | null;
  /** Empty: of none. */
  readonly keyId: string;
  readonly channel: string;
  readonly at: Date;
}

/** Something that was used, at the price that was in force then. */
export function toUsageRow(measured: Measured, by: UsedBy, prices: readonly Price[]): UsageRow {
  const { orgId, sessionId, agentId, keyId, channel, at } = by;
  const price = choosePrice(prices, { ...measured, orgId, at });
  return {
    ...measured,
    ...{ orgId, sessionId, agentId: agentId ?? "", keyId, channel, at },
    priceId: price?.id ?? null,
    amount: price ? amountOf(measured.quantity, price) : 0n,
  };
}
