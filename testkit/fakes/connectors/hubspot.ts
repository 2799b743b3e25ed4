import { FakeConsents } from "./fake-consents.ts";
import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";

export const HUBSPOT_TOKEN = "pat-eu1-fake";

const error = (status: number, category: string, message: string): Reply => ({
  status,
  json: { status: "error", message, correlationId: "c-1", category },
});
const CONTACT = {
  id: "51",
  properties: { firstname: "Ada", lastname: "Byron", email: "ada@example.com", phone: "+14155550101" },
};
const TICKET = { id: "9", properties: { subject: "Parcel is late", hs_pipeline_stage: "1" } };

/** HubSpot's consent flow: half an hour of access. */
export function hubspotConsents(): FakeConsents {
  const token = "/oauth/2026-03/token";
  return new FakeConsents({
    paths: { authorize: "/oauth/authorize", token, revoke: `${token}/revoke` },
    token: "CJ-fake",
    expiresIn: 1_800,
  });
}

interface Body {
  readonly filterGroups?: { readonly filters: { readonly value: string }[] }[];
  readonly properties?: Record<string, string>;
  readonly associations?: { readonly to: { readonly id: string } }[];
}

function handle({ method, path, body }: VendorCall): Reply | undefined {
  const { filterGroups = [], properties, associations = [] } = body as Body;
  const values = filterGroups.flatMap(({ filters }) => filters.map(({ value }) => value));
  const isAda = values.some((value) => value === "ada@example.com" || value === "+14155550101");
  switch (`${method} ${path}`) {
    case "GET /account-info/v3/details":
      return ok({ portalId: 4242, uiDomain: "app-eu1.hubspot.com" });
    case "POST /crm/v3/objects/contacts/search":
      return ok({ total: 1, results: isAda ? [CONTACT] : [] });
    case "POST /crm/v3/objects/contacts":
      return { status: 201, json: { id: "52", properties } };
    case "PATCH /crm/v3/objects/contacts/51":
      return ok({ id: "51", properties: { ...CONTACT.properties, ...properties } });
    case "POST /crm/v3/objects/notes":
      return associations.length === 1
        ? { status: 201, json: { id: "700" } }
        : error(400, "VALIDATION_ERROR", "no association");
    case "GET /crm/v3/objects/tickets/9":
      return ok(TICKET);
    case "POST /crm/v3/objects/tickets/search":
      return ok({ results: values.includes("51") ? [TICKET] : [] });
    case "POST /crm/v3/objects/tickets":
      return { status: 201, json: { id: "10", properties } };
    default:
      return undefined;
  }
}

export function startFakeHubspot(consents = hubspotConsents()): Promise<FakeVendor> {
  return FakeVendor.start({
    handle: (call) => consents.handle(call) ?? handle(call),
    refusal: (call) =>
      consents.isAbout(call) ||
      consents.isKnown(call) ||
      call.headers.authorization === `Bearer ${HUBSPOT_TOKEN}`
        ? undefined
        : error(401, "INVALID_AUTHENTICATION", "Authentication credentials not found."),
    isSpared: (call) => consents.isAbout(call),
    notFound: error(404, "OBJECT_NOT_FOUND", "Object not found."),
  });
}
