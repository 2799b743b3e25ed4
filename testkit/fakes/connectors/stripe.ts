import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";

export const STRIPE_KEY = "rk_live_fake4242";

const CHARGE = {
  id: "ch_1",
  object: "charge",
  amount: 8_450,
  currency: "usd",
  created: 1_767_225_600,
  status: "succeeded",
  refunded: false,
  description: "Order 1001",
};

function refusal({ headers }: VendorCall): Reply | undefined {
  if (headers.authorization === `Bearer ${STRIPE_KEY}`) return undefined;
  return {
    status: 401,
    json: { error: { type: "invalid_request_error", message: "Invalid API Key provided: rk_live_********" } },
  };
}

function missing(what: string): Reply {
  return {
    status: 404,
    json: { error: { type: "invalid_request_error", code: "resource_missing", message: `No such ${what}` } },
  };
}

function handle({ method, path, query, body, headers }: VendorCall): Reply | undefined {
  switch (`${method} ${path}`) {
    case "GET /v1/account":
      return ok({
        id: "acct_1",
        charges_enabled: true,
        settings: { dashboard: { display_name: "Shoes Inc" } },
      });
    case "GET /v1/charges/ch_1":
      return ok(CHARGE);
    case "GET /v1/charges":
      return ok({ object: "list", has_more: false, data: query.customer === "cus_1" ? [CHARGE] : [] });
    case "GET /v1/customers/search":
      return ok({
        object: "search_result",
        data: query.query === "email:'o\\'hara@example.com'" ? [{ id: "cus_1" }] : [],
      });
    case "GET /v1/refunds":
      return query.charge === "ch_1"
        ? ok({
            data: [{ id: "re_1", amount: 500, currency: "jpy", created: 1_767_225_600, status: "succeeded" }],
          })
        : missing("charge");
    case "POST /v1/payment_links":
      if (body["line_items[0][price]"] !== "price_1" || headers["idempotency-key"] !== "key-1")
        return missing("price");
      return ok({ id: "plink_1", url: "https://buy.stripe.com/test_1" });
    default:
      return undefined;
  }
}

export function startFakeStripe(): Promise<FakeVendor> {
  return FakeVendor.start({ handle, refusal, notFound: missing("charge") });
}
