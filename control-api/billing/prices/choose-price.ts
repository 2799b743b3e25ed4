import type { UnitPrice } from "../money.ts";

/** A price list entry. */
export interface Price extends UnitPrice {
  readonly id: string;
  /** Empty: all organizations. */
  readonly orgId: string;
  readonly metric: string;
  /** Empty: all vendors. */
  readonly vendor: string;
  readonly from: Date;
}

export interface Priced {
  readonly orgId: string;
  readonly metric: string;
  readonly vendor: string;
  readonly at: Date;
}

/** Models at services that the organization pays itself; prices for all vendors do not apply to them. */
export const OWN_VENDOR = "own";

/**
 * The price in force at that moment: an organization's own beats the general one, a vendor's beats all vendors', then
 * the newest wins. Undefined if the use is free.
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
