import { FakeConsents } from "./fake-consents.ts";
import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";

export const ZENDESK = {
  basic: { email: "agent@example.com", apiToken: "zd-token-1" },
  bearer: { accessToken: "zd-oauth-1" },
};

const KNOWN = [
  `Basic ${Buffer.from(`${ZENDESK.basic.email}/token:${ZENDESK.basic.apiToken}`).toString("base64")}`,
  `Bearer ${ZENDESK.bearer.accessToken}`,
];
const NOT_FOUND: Reply = { status: 404, json: { error: "RecordNotFound", description: "Not found" } };
const TICKET = { id: 35, subject: "Parcel is late", status: "open" };

/** Zendesk's consent flow: each renewal ends the used refresh token. */
export function zendeskConsents(): FakeConsents {
  return new FakeConsents({
    paths: {
      authorize: "/oauth/authorizations/new",
      token: "/oauth/tokens",
      revoke: "/api/v2/oauth/tokens/current.json",
    },
    token: "zd-consent-1",
    expiresIn: 172_799,
    rotates: true,
  });
}

function refusal({ path, headers }: VendorCall): Reply | undefined {
  if (KNOWN.includes(headers.authorization ?? "")) return undefined;
  // Zendesk treats unknown users as anonymous.
  if (path.endsWith("/users/me.json")) return ok({ user: { id: null, name: "Anonymous user", role: null } });
  return { status: 401, json: { error: "Couldn't authenticate you" } };
}

function handle({ method, path, query, body }: VendorCall): Reply | undefined {
  const { ticket } = body as { ticket?: { subject?: string; comment?: { body: string; public?: boolean } } };
  switch (`${method} ${path}`) {
    case "GET /api/v2/users/me.json":
      return ok({ user: { id: 7, name: "Agent", role: "agent" } });
    case "GET /api/v2/tickets/35.json":
      return ok({ ticket: TICKET });
    case "GET /api/v2/search.json":
      return ok({ results: query.query?.includes("ada@example.com") ? [TICKET] : [], count: 1 });
    case "POST /api/v2/tickets.json":
      return { status: 201, json: { ticket: { id: 36, subject: ticket?.subject, status: "new" } } };
    case "PUT /api/v2/tickets/35.json":
      return ok({ ticket: { ...TICKET, status: ticket?.comment?.public ? "pending" : "open" } });
    default:
      return undefined;
  }
}

export function startFakeZendesk(consents = zendeskConsents()): Promise<FakeVendor> {
  return FakeVendor.start({
    handle: (call) => consents.handle(call) ?? handle(call),
    refusal: (call) => (consents.isAbout(call) || consents.isKnown(call) ? undefined : refusal(call)),
    isSpared: (call) => consents.isAbout(call),
    notFound: NOT_FOUND,
  });
}
