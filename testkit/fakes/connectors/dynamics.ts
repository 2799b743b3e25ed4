import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";

const TENANT = "11111111-1111-1111-1111-111111111111";
export const DYNAMICS = {
  tenantId: TENANT,
  clientId: "22222222-2222-2222-2222-222222222222",
  clientSecret: "dyn~secret",
};
export const DYNAMICS_IDS = {
  ada: "33333333-3333-3333-3333-333333333331",
  ben: "33333333-3333-3333-3333-333333333332",
  case: "44444444-4444-4444-4444-444444444441",
  newCase: "44444444-4444-4444-4444-444444444442",
  note: "55555555-5555-5555-5555-555555555551",
};

const MINTED = "eyJ0.fake";
const API = "/api/data/v9.2";
const URL = "https://shoes.crm4.dynamics.com";
const ADA = {
  contactid: DYNAMICS_IDS.ada,
  fullname: "Ada Byron",
  emailaddress1: "ada@example.com",
  telephone1: "+1 (415) 555-0101",
  mobilephone: null,
};
const CASE = {
  incidentid: DYNAMICS_IDS.case,
  ticketnumber: "CAS-01001",
  title: "Parcel is late",
  statuscode: 1,
  "statuscode@OData.Community.Display.V1.FormattedValue": "In Progress",
};

export function dynamicsError(status: number, code: string, message: string): Reply {
  return { status, json: { error: { code, message } } };
}

const isToken = ({ path }: VendorCall): boolean => path.endsWith("/oauth2/v2.0/token");

function refusal(call: VendorCall): Reply | undefined {
  if (isToken(call)) {
    const { client_id: id, client_secret: secret, scope } = call.body;
    const isGood =
      id === DYNAMICS.clientId && secret === DYNAMICS.clientSecret && scope === `${URL}/.default`;
    if (call.path.includes(TENANT) && isGood) return undefined;
    const error_description = "AADSTS7000215: Invalid client secret provided.\r\nTrace ID: 1 Timestamp: 2";
    return { status: 401, json: { error: "invalid_client", error_description, error_codes: [7000215] } };
  }
  if (call.headers.authorization === `Bearer ${MINTED}`) return undefined;
  return { status: 401, json: {}, headers: { "www-authenticate": "Bearer" } };
}

function contacts({ $filter = "" }: Readonly<Record<string, string>>): Reply {
  const isAda =
    $filter === "emailaddress1 eq 'ada@example.com'" || $filter.startsWith("endswith(telephone1,'0101')");
  return ok({ value: isAda ? [ADA] : [] });
}

function cases({ $filter = "" }: Readonly<Record<string, string>>): Reply {
  const isKnown = [`_customerid_value eq ${ADA.contactid}`, "ticketnumber eq 'CAS-01001'"].includes($filter);
  return ok({ value: isKnown ? [CASE] : [] });
}

interface Body {
  readonly title?: string;
  readonly emailaddress1?: string;
  readonly firstname?: string;
  readonly lastname?: string;
}

function handle(call: VendorCall): Reply | undefined {
  if (isToken(call)) return ok({ token_type: "Bearer", expires_in: 3_599, access_token: MINTED });
  const { method, path, query } = call;
  const body = call.body as Body;
  const fullname = [body.firstname, body.lastname].filter(Boolean).join(" ");
  switch (`${method} ${path}`) {
    case `GET ${API}/WhoAmI`:
      return ok({ BusinessUnitId: "b", UserId: "u", OrganizationId: "66666666-6666-6666-6666-666666666666" });
    case `GET ${API}/contacts`:
      return contacts(query);
    case `POST ${API}/contacts`:
      return {
        status: 201,
        json: {
          contactid: DYNAMICS_IDS.ben,
          fullname,
          emailaddress1: body.emailaddress1,
          telephone1: null,
          mobilephone: null,
        },
      };
    case `PATCH ${API}/contacts(${ADA.contactid})`:
      return call.headers["if-match"] === "*"
        ? ok({ ...ADA, fullname })
        : dynamicsError(412, "0x80060882", "no");
    case `POST ${API}/annotations`:
      return { status: 201, json: { annotationid: DYNAMICS_IDS.note } };
    case `GET ${API}/incidents`:
      return cases(query);
    case `GET ${API}/incidents(${CASE.incidentid})`:
      return ok(CASE);
    case `POST ${API}/incidents`:
      return { status: 201, json: { ...CASE, incidentid: DYNAMICS_IDS.newCase, title: body.title } };
    default:
      return undefined;
  }
}

export function startFakeDynamics(): Promise<FakeVendor> {
  return FakeVendor.start({
    handle,
    refusal,
    isSpared: isToken,
    notFound: dynamicsError(404, "0x80040217", "contact With Id = 3 Does Not Exist"),
  });
}
