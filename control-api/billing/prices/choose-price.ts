import type { UnitPrice } from "../money.ts";

/** A line of the price list. */
export interface Price extends UnitPrice {
  readonly id: string;
  /** Empty: of all organizations. */
  readonly orgId: string;
  readonly metric: string;
  /** Empty: of all vendors. */
  readonly vendor: string;
  readonly from: Date;
}

export interface Priced {
  readonly orgId: string;
  readonly metric: string;
  readonly vendor: string;
  readonly at: Date;
}

/** Models at services that the organization pays itself: a price for all vendors is none for them. */
export const OWN_VENDOR = "own";

/**
 * The price in force at that moment: the organization's own before the general one, the vendor's before that of all
 * vendors, the newest. Undefined: it costs nothing.
 */
export function choosePrice(
  prices: readonly Price[],
  { orgId, metric, vendor, at }: Priced,
): Price | undefined {
  return prices
    .filter(
      (price) =>
        price.metric === metric &&
        (price.orgId === orgId || price.orgId === "") &&
        (price.vendor === vendor || (price.vendor === "" && vendor !== OWN_VENDOR)) &&
        price.from <= at,
    )
    .reduce<Price | undefined>((best, price) => (best && !isBefore(price, best) ? best : price), undefined);
}

function isBefore(one: Price, other: Price): boolean {
  if (one.orgId !== other.orgId) return one.orgId !== "";
  if (one.vendor !== other.vendor) return one.vendor !== "";
  return one.from > other.from;
}
