import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";

export const HTTP_API = {
  bearer: { token: "http-token-1" },
  header: { headerName: "X-Shop-Key", headerValue: "http-key-1" },
  user: { username: "parley", password: "http-password-1" },
};

const KNOWN = [
  `Bearer ${HTTP_API.bearer.token}`,
  `Basic ${Buffer.from(`${HTTP_API.user.username}:${HTTP_API.user.password}`).toString("base64")}`,
];

export const httpRefusal = (status: number, message: string): Reply => ({ status, json: { message } });

function refusal({ headers }: VendorCall): Reply | undefined {
  const isKnown =
    KNOWN.includes(headers.authorization ?? "") || headers["x-shop-key"] === HTTP_API.header.headerValue;
  return isKnown ? undefined : httpRefusal(401, "Who is there?");
}

/** A customer's own API. */
function handle({ method, path, query, body }: VendorCall): Reply | undefined {
  switch (`${method} ${path}`) {
    case "GET /v1/status":
      return ok({ up: true });
    case "GET /v1/products/42%2Fb/stock":
      return ok({ sku: "42/b", left: 3, query });
    case "POST /v1/callbacks":
      return { status: 201, json: { id: 7, ...body } };
    case "DELETE /v1/callbacks/7":
      return { status: 204 };
    case "GET /v1/greeting":
      return { status: 200, text: "Good morning", headers: { "content-type": "text/plain" } };
    default:
      return undefined;
  }
}

export function startFakeHttp(): Promise<FakeVendor> {
  return FakeVendor.start({ handle, refusal, notFound: httpRefusal(404, "There is nothing here") });
}
