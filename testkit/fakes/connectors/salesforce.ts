import { FakeConsents } from "./fake-consents.ts";
import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";

export const SALESFORCE_TOKEN = "00D000000000001!fake";
export const INSTANCE = "https://shoes.my.salesforce.com";

const OAUTH = "/services/oauth2";
const DATA = "/services/data/v66.0";
const ADA = {
  attributes: { type: "Contact" },
  Id: "003000000000001AAA",
  Name: "Ada Byron",
  Email: "ada@example.com",
  Phone: "(415) 555-0101",
  MobilePhone: null,
};

/** Salesforce's consent flow: no stated token lifetime, and a renewal may bring a new refresh token. */
export function salesforceConsents(): FakeConsents {
  return new FakeConsents({
    paths: { authorize: `${OAUTH}/authorize`, token: `${OAUTH}/token`, revoke: `${OAUTH}/revoke` },
    token: SALESFORCE_TOKEN,
    reply: { instance_url: INSTANCE, id: `${INSTANCE}/id/00D000000000001EAA/005000000000001AAA` },
    rotates: true,
  });
}

export function salesforceError(status: number, errorCode: string, message: string): Reply {
  return { status, json: [{ message, errorCode }] };
}

function query(soql: string): Reply {
  // An unescaped quote would end the text.
  if ((soql.replace(/\\./g, "").match(/'/g)?.length ?? 0) % 2 === 1)
    return salesforceError(400, "MALFORMED_QUERY", "unexpected token");
  const isAda = soql.includes("'ada@example.com'") || soql.includes("'%1%5%5%5%5%0%1%0%1'");
  return ok({ totalSize: isAda ? 1 : 0, done: true, records: isAda ? [ADA] : [] });
}

function handle({ method, path, query: { q = "" }, body }: VendorCall): Reply | undefined {
  switch (`${method} ${path}`) {
    case `GET ${OAUTH}/userinfo`:
      return ok({ organization_id: "00D000000000001EAA", preferred_username: "admin@shoes.example" });
    case `GET ${DATA}/query`:
      return query(q);
    case `POST ${DATA}/sobjects/Contact`:
      return body.LastName === undefined
        ? salesforceError(400, "REQUIRED_FIELD_MISSING", "Required fields are missing: [LastName]")
        : { status: 201, json: { id: "003000000000002AAA", success: true, errors: [] } };
    case `PATCH ${DATA}/sobjects/Contact/${ADA.Id}`:
      return { status: 204 };
    case `POST ${DATA}/sobjects/Task`:
      return body.WhoId === ADA.Id
        ? { status: 201, json: { id: "00T000000000001AAA", success: true, errors: [] } }
        : salesforceError(400, "MALFORMED_ID", "Name ID: id value of incorrect type");
    default:
      return undefined;
  }
}

export function startFakeSalesforce(consents = salesforceConsents()): Promise<FakeVendor> {
  return FakeVendor.start({
    handle: (call) => consents.handle(call) ?? handle(call),
    refusal: (call) =>
      consents.isAbout(call) || consents.isKnown(call)
        ? undefined
        : salesforceError(401, "INVALID_SESSION_ID", "Session expired or invalid"),
    isSpared: (call) => consents.isAbout(call),
    notFound: salesforceError(404, "NOT_FOUND", "The requested resource does not exist"),
  });
}
