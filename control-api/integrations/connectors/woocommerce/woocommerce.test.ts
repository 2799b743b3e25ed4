import { describe, expect, it } from "vitest";
import { startFakeWoocommerce, WOO, wooRefusal } from "../../../../testkit/fakes/connectors/woocommerce.ts";
import { checkInput } from "../../connections/input.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";

const ORDER = {
  id: "1001",
  number: "1001",
  placedAt: "2026-01-01T10:00:00Z",
  status: "processing",
  paid: true,
  total: { amount: "84.50", currency: "EUR" },
  items: [{ name: "Running shoes", quantity: 1 }],
  tracking: [{ company: "UPS", number: "1Z1", url: null }],
};
const NUMBERED = { ...ORDER, id: "2002", number: "S-77", tracking: [] };

connectorContract({
  connector,
  start: startFakeWoocommerce,
  settings: { url: "Shoes.example/shop/" },
  forms: { "REST API key": WOO },
  badCredentials: { ...WOO, consumerSecret: "cs_nobody" },
  account: "shoes.example/shop",
  cases: [
    { capability: "order.lookup", args: { orderNumber: "#1001" }, result: { orders: [ORDER] } },
    { capability: "order.lookup", args: { orderNumber: "S-77" }, result: { orders: [NUMBERED] } },
    { capability: "order.lookup", args: { orderNumber: "2002" }, result: { orders: [] } },
    { capability: "order.lookup", args: { orderNumber: "999" }, result: { orders: [] } },
    { capability: "order.lookup", args: { email: "ada@example.com" }, result: { orders: [ORDER] } },
    { capability: "order.lookup", args: { email: "example.com@a.de" }, result: { orders: [] } },
    { capability: "order.lookup", args: { email: "ben@work.example" }, result: { orders: [NUMBERED] } },
    { capability: "order.lookup", args: { phone: "+49 30 5550101" }, result: { orders: [ORDER] } },
    { capability: "order.lookup", args: { phone: "+49 40 5550101" }, result: { orders: [] } },
    {
      capability: "order.lookup",
      args: { orderNumber: "1001", phone: "+49 30 5550101" },
      result: { orders: [ORDER] },
    },
    {
      capability: "order.lookup",
      args: { orderNumber: "1001", email: "eve@example.com" },
      result: { orders: [] },
    },
  ],
  faults: {
    missingScope: wooRefusal(
      401,
      "woocommerce_rest_authentication_error",
      "The API key provided does not have read permissions.",
    ),
    rateLimited: { status: 429, json: { code: "too_many", message: "Slow down" } },
  },
});

describe("WooCommerce", () => {
  const refusalOf = (status: number, code: string) =>
    connector.refusalOf?.({ status, headers: {}, body: { code, message: "no", data: { status } } });

  it("says that no store is at an address where WordPress knows no such route", () => {
    expect(refusalOf(404, "rest_no_route")).toMatchObject({
      problem: "failed",
      words: expect.stringContaining("permalinks"),
    });
  });

  it.each([
    ["HTTPS://Example.COM/Shop//", "https://example.com/Shop"],
    ["example.com", "https://example.com"],
    ["https://example.com/shop/wp-admin/admin.php?page=wc-settings", "https://example.com/shop"],
    ["https://example.com/wp-json/wc/v3", "https://example.com"],
  ])("takes %s for %s", (given, url) => {
    const { settings } = checkInput(connector, { credentials: WOO, settings: { url: given } });
    expect(settings.url).toBe(url);
  });

  it("does not send keys without encryption", () => {
    const given = { credentials: WOO, settings: { url: "http://example.com" } };
    expect(() => checkInput(connector, given)).toThrow("https");
  });
});
