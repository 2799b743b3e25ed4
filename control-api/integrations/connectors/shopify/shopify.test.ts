import { ok } from "../../../../testkit/fakes/connectors/fake-vendor.ts";
import { SHOPIFY, startFakeShopify } from "../../../../testkit/fakes/connectors/shopify.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";

const ORDER = {
  id: "gid://shopify/Order/1",
  number: "#1001",
  placedAt: "2026-01-01T10:00:00Z",
  status: "fulfilled",
  paid: true,
  total: { amount: "84.5", currency: "USD" },
  items: [{ name: "Running shoes", quantity: 1 }],
  tracking: [{ company: "UPS", number: "1Z1", url: null }],
};
const hidden = (code: string, message: string) => ok({ errors: [{ message, extensions: { code } }] });

connectorContract({
  connector,
  start: startFakeShopify,
  settings: { shop: "https://Shoes.myshopify.com/" },
  forms: { "app credentials": SHOPIFY.app, "access token": SHOPIFY.token },
  badCredentials: { accessToken: "shpat_nobody" },
  account: "Shoes Inc",
  cases: [
    { capability: "order.lookup", args: { orderNumber: "#1001" }, result: { orders: [ORDER] } },
    { capability: "order.lookup", args: { email: "ada@example.com" }, result: { orders: [ORDER] } },
    { capability: "order.lookup", args: { phone: "+1 415 555 0101" }, result: { orders: [ORDER] } },
    { capability: "order.lookup", args: { orderNumber: '1" OR name:"#1001' }, result: { orders: [] } },
  ],
  faults: {
    missingScope: hidden("ACCESS_DENIED", "Access denied for orders field."),
    rateLimited: { status: 429, json: { errors: "Throttled" }, headers: { "retry-after": "10" } },
    hidden: {
      "a throttled query": { fault: hidden("THROTTLED", "Throttled"), is: "rate_limited" },
      "a query it does not understand": {
        fault: ok({ errors: [{ message: "syntax error" }] }),
        is: "rejected",
      },
      "no data at all": { fault: ok({ data: null }), is: "failed" },
    },
  },
});
