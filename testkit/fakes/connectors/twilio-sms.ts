import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";

const ACCOUNT = `AC${"a1".repeat(16)}`;
export const TWILIO = {
  token: { accountSid: ACCOUNT, authToken: "tw-token-1" },
  key: { accountSid: ACCOUNT, apiKeySid: `SK${"b2".repeat(16)}`, apiKeySecret: "tw-secret-1" },
  sender: "+14155550100",
};

export const twilioRefusal = (status: number, code: number, message: string): Reply => ({
  status,
  json: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
});

const UNKNOWN = twilioRefusal(401, 20003, "Authenticate");
const NOT_FOUND = twilioRefusal(404, 20404, "The requested resource was not found");
const basic = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
const BY_TOKEN = basic(TWILIO.token.accountSid, TWILIO.token.authToken);
const BY_KEY = basic(TWILIO.key.apiKeySid, TWILIO.key.apiKeySecret);

function refusal({ path, headers }: VendorCall): Reply | undefined {
  const { authorization } = headers;
  if (authorization === BY_TOKEN) return undefined;
  // A standard API key cannot see the account itself.
  return authorization === BY_KEY && path.endsWith("/Messages.json") ? undefined : UNKNOWN;
}

function handle({ method, path, body }: VendorCall): Reply | undefined {
  const { To, From, MessagingServiceSid, Body } = body as Record<string, string | undefined>;
  switch (`${method} ${path.replace(ACCOUNT, "{sid}")}`) {
    case "GET /2010-04-01/Accounts/{sid}.json":
      return ok({ sid: ACCOUNT, friendly_name: "Shoes Inc", status: "active", type: "Full" });
    case "GET /2010-04-01/Accounts/{sid}/Messages.json":
      return ok({ messages: [], page: 0, page_size: 1 });
    case "POST /2010-04-01/Accounts/{sid}/Messages.json":
      if (From !== TWILIO.sender && MessagingServiceSid === undefined)
        return twilioRefusal(400, 21606, "The 'From' phone number provided is not a valid one");
      if (!Body) return twilioRefusal(400, 21602, "Message body is required.");
      if (To !== "+14155550101") return twilioRefusal(400, 21211, "Invalid 'To' Phone Number");
      return { status: 201, json: { sid: "SM1", status: "queued", to: To, body: Body } };
    default:
      return undefined;
  }
}

export function startFakeTwilioSms(): Promise<FakeVendor> {
  return FakeVendor.start({ handle, refusal, notFound: NOT_FOUND });
}
