import { FakeConsents } from "./fake-consents.ts";
import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";

export const PIPEDRIVE_TOKEN = "pd-token-1";

export const pipedriveRefusal = (status: number, error: string): Reply => ({
  status,
  json: { success: false, error, error_info: "Please check developers.pipedrive.com" },
});

interface Entry {
  readonly value: string;
  readonly primary?: boolean;
  readonly label?: string;
}
interface Person {
  readonly name?: string;
  readonly emails?: readonly Entry[];
  readonly phones?: readonly Entry[];
}

const ADA = {
  id: 51,
  name: "Ada Byron",
  emails: [{ value: "ada@example.com", primary: true, label: "home" }],
  phones: [{ value: "+1 415-555-0101", primary: true, label: "mobile" }],
};
const data = (value: unknown) => ({ success: true, data: value });
const values = (entries: readonly Entry[]) => entries.map(({ value }) => value);

/** Pipedrive's consent flow: scopes are set on the app, and the secret is in a header. */
export function pipedriveConsents(): FakeConsents {
  return new FakeConsents({
    paths: { authorize: "/oauth/authorize", token: "/oauth/token", revoke: "/oauth/revoke" },
    token: "v1u:fake",
    reply: { scope: "base,contacts:full", api_domain: "https://shoes.pipedrive.com" },
    expiresIn: 3_599,
    secretIn: "basic",
  });
}

/** Matches emails exactly and phones by digits; ignores labels. */
function search({ term = "", fields = "" }: Readonly<Record<string, string>>): Reply {
  const number = term.replace(/\D/g, "");
  const isAda = fields === "email" ? term === "ada@example.com" : "14155550101".includes(number);
  const item = {
    id: 51,
    type: "person",
    name: ADA.name,
    phones: values(ADA.phones),
    emails: values(ADA.emails),
  };
  return ok({
    ...data({ items: isAda ? [{ result_score: 0.5, item }] : [] }),
    additional_data: { next_cursor: null },
  });
}

function handle({ method, path, query, body }: VendorCall): Reply | undefined {
  const given = body as Person & { readonly person_id?: number };
  switch (`${method} ${path}`) {
    case "GET /v1/users/me":
      return ok(data({ id: 7, company_id: 4242, company_name: "Shoes Inc", company_domain: "shoes" }));
    case "GET /api/v2/persons/search":
      return search(query);
    case "GET /api/v2/persons/51":
      return ok(data(ADA));
    case "PATCH /api/v2/persons/51":
      return ok(data({ ...ADA, ...given }));
    case "POST /api/v2/persons":
      return given.name
        ? { status: 201, json: data({ id: 52, emails: [], phones: [], ...given }) }
        : pipedriveRefusal(400, "name is required");
    case "POST /v1/notes":
      return given.person_id === 51
        ? { status: 201, json: data({ id: 700, ...given }) }
        : pipedriveRefusal(404, "Person not found");
    default:
      return undefined;
  }
}

export function startFakePipedrive(consents = pipedriveConsents()): Promise<FakeVendor> {
  return FakeVendor.start({
    handle: (call) => consents.handle(call) ?? handle(call),
    refusal: (call) =>
      consents.isAbout(call) || consents.isKnown(call) || call.headers["x-api-token"] === PIPEDRIVE_TOKEN
        ? undefined
        : pipedriveRefusal(401, "unauthorized access"),
    isSpared: (call) => consents.isAbout(call),
    notFound: pipedriveRefusal(404, "Entity not found"),
  });
}
