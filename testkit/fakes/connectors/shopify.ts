import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";

export const SHOPIFY = {
  app: { clientId: "app-1", clientSecret: "shpss_1" },
  token: { accessToken: "shpat_1" },
};
const MINTED = "shpca_minted";

const ORDER = {
  id: "gid://shopify/Order/1",
  name: "#1001",
  createdAt: "2026-01-01T10:00:00Z",
  cancelledAt: null,
  displayFulfillmentStatus: "FULFILLED",
  displayFinancialStatus: "PAID",
  totalPriceSet: { shopMoney: { amount: "84.5", currencyCode: "USD" } },
  lineItems: { nodes: [{ name: "Running shoes", quantity: 1 }] },
  fulfillments: [{ trackingInfo: [{ company: "UPS", number: "1Z1", url: null }] }],
};
const FOUND = ['name:"#1001"', 'email:"ada@example.com"', "customer_id:7"];

const isToken = ({ path }: VendorCall): boolean => path === "/admin/oauth/access_token";

function refusal(call: VendorCall): Reply | undefined {
  if (isToken(call)) {
    const { client_id: id, client_secret: key } = call.body;
    if (id === SHOPIFY.app.clientId && key === SHOPIFY.app.clientSecret) return undefined;
    return { status: 401, json: { error: "invalid_client", error_description: "The client is not known" } };
  }
  const token = call.headers["x-shopify-access-token"];
  if (token === MINTED || token === SHOPIFY.token.accessToken) return undefined;
  return { status: 401, json: { errors: "[API] Invalid API key or access token (unrecognized login)" } };
}

function handle(call: VendorCall): Reply | undefined {
  if (isToken(call)) return ok({ access_token: MINTED, scope: "read_orders", expires_in: 86_399 });
  if (call.path !== "/admin/api/2026-10/graphql.json") return undefined;
  const { query = "", variables } = call.body as { query?: string; variables?: { q?: string } };
  const q = variables?.q ?? "";
  if (query.includes("orders(")) return ok({ data: { orders: { nodes: FOUND.includes(q) ? [ORDER] : [] } } });
  if (query.includes("customers(")) {
    const nodes = q === 'phone:"+14155550101"' ? [{ legacyResourceId: "7" }] : [];
    return ok({ data: { customers: { nodes } } });
  }
  const accessScopes = [{ handle: "read_orders" }];
  return ok({
    data: {
      shop: { name: "Shoes Inc", myshopifyDomain: "shoes.myshopify.com" },
      currentAppInstallation: { accessScopes },
    },
  });
}

export function startFakeShopify(): Promise<FakeVendor> {
  return FakeVendor.start({
    handle,
    refusal,
    notFound: { status: 404, json: { errors: "Not Found" } },
    isSpared: isToken,
  });
}
