import { z } from "zod";
import { id, maybe } from "../read.ts";

/** The metadata key under which shipment extensions store tracking. */
const TRACKING_KEY = "_wc_shipment_tracking_items";

const tracking = z.array(
  z.object({
    tracking_provider: maybe,
    custom_tracking_provider: maybe,
    tracking_number: maybe,
    custom_tracking_link: maybe,
  }),
);

export const order = z.object({
  id,
  number: id,
  status: z.string(),
  currency: z.string(),
  total: z.string(),
  date_created_gmt: z.string(),
  date_paid_gmt: maybe,
  billing: z.object({ email: maybe, phone: maybe }),
  line_items: z.array(z.object({ name: z.string(), quantity: z.number() })),
  meta_data: z
    .array(z.object({ key: z.string(), value: z.unknown() }))
    .nullish()
    .transform((list) => list ?? []),
});
export type Order = z.output<typeof order>;

export function shown(found: Order) {
  return {
    id: found.id,
    number: found.number,
    placedAt: moment(found.date_created_gmt),
    status: found.status === "cancelled" ? "canceled" : found.status,
    paid: found.date_paid_gmt !== null && found.status !== "refunded",
    total: { amount: found.total, currency: found.currency },
    items: found.line_items.map(({ name, quantity }) => ({ name, quantity })),
    tracking: trackingOf(found),
  };
}

function trackingOf({ meta_data }: Order) {
  const kept = meta_data.find(({ key }) => key === TRACKING_KEY)?.value;
  return (tracking.safeParse(kept).data ?? []).map((one) => ({
    company: one.tracking_provider ?? one.custom_tracking_provider,
    number: one.tracking_number,
    url: one.custom_tracking_link,
  }));
}

/** WooCommerce's GMT times carry no zone designator. */
function moment(gmt: string): string {
  return gmt.endsWith("Z") ? gmt : `${gmt}Z`;
}
