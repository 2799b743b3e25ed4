import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";

export const WOO = { consumerKey: "ck_1", consumerSecret: "cs_1" };

export const wooRefusal = (status: number, code: string, message: string): Reply => ({
  status,
  json: { code, message, data: { status } },
});

const shipment = {
  tracking_provider: "",
  custom_tracking_provider: "UPS",
  tracking_number: "1Z1",
  custom_tracking_link: "",
};
const orderOf = (id: number, number: string, billing: { email: string; phone: string }) => ({
  id,
  number,
  status: "processing",
  currency: "EUR",
  total: "84.50",
  date_created: "2026-01-01T11:00:00",
  date_created_gmt: "2026-01-01T10:00:00",
  date_paid_gmt: "2026-01-01T10:01:00",
  billing: { first_name: "Ada", ...billing },
  line_items: [{ id: 1, name: "Running shoes", quantity: 1, total: "84.50" }],
  meta_data: id === 1001 ? [{ id: 9, key: "_wc_shipment_tracking_items", value: [shipment] }] : [],
});
const ORDERS = [
  orderOf(1001, "1001", { email: "Ada@example.com", phone: "030 5550101" }),
  orderOf(2002, "S-77", { email: "ben@example.com", phone: "+4930999" }),
];
/** A person whose account email differs from their orders' email. */
const CUSTOMER = { id: 8, email: "ben@work.example" };

function refusal({ headers }: VendorCall): Reply | undefined {
  const [key, secret] = Buffer.from(headers.authorization?.slice("Basic ".length) ?? "", "base64")
    .toString()
    .split(":");
  // WooCommerce treats an unknown key as no sign-in at all.
  if (key !== WOO.consumerKey)
    return wooRefusal(401, "woocommerce_rest_cannot_view", "Sorry, you cannot list resources.");
  if (secret === WOO.consumerSecret) return undefined;
  return wooRefusal(401, "woocommerce_rest_authentication_error", "Consumer secret is invalid.");
}

/** Substring search over all fields of an order. */
function search(text: string): Reply {
  const wanted = text.toLowerCase();
  return ok(ORDERS.filter((order) => JSON.stringify(order).toLowerCase().includes(wanted)));
}

function handle({ method, path, query }: VendorCall): Reply | undefined {
  const [, at] = /^\/shop\/wp-json\/wc\/v3(\/.*)$/.exec(path) ?? [];
  if (method !== "GET" || at === undefined) return undefined;
  if (at === "/customers") return ok(query.email === CUSTOMER.email ? [CUSTOMER] : []);
  if (at === "/orders") {
    if (query.customer !== undefined) return ok(query.customer === "8" ? [ORDERS[1]] : []);
    return search(query.search ?? "");
  }
  const [, id] = /^\/orders\/(\d+)$/.exec(at) ?? [];
  if (id === undefined) return undefined;
  const known = ORDERS.find((order) => String(order.id) === id);
  return known ? ok(known) : wooRefusal(404, "woocommerce_rest_shop_order_invalid_id", "Invalid ID.");
}

export function startFakeWoocommerce(): Promise<FakeVendor> {
  return FakeVendor.start({
    handle,
    refusal,
    notFound: wooRefusal(404, "rest_no_route", "No route was found matching the URL and request method."),
  });
}
