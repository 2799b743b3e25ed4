import { ACCOUNT_CARRIERS, type AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import type { PlacedCall } from "@parley/shared/contracts/telephony.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAccount } from "../../../testkit/carrier-account.ts";
import type { TestControlApi } from "../../../testkit/control-api.ts";
import { type SignedCallback, toldAt } from "../../../testkit/fakes/carriers/fake-carrier.ts";
import { needs } from "../../../testkit/needs.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { TestPhoneCompany } from "../../../testkit/phone-company.ts";
import { startTwoApis } from "../../../testkit/two-apis.ts";

const RACERS = 20;
const OURS = {
  twilio: "+12025550131",
  telnyx: "+12025550132",
  plivo: "+12025550133",
  vonage: "+12025550134",
};

describe.runIf(needs("redis") && needs("postgres"))("A callback that is sent again, of", () => {
  let apis: Awaited<ReturnType<typeof startTwoApis>>;
  let acme: TestOrganization;
  const companies = new Map<AccountCarrierName, TestPhoneCompany>();
  let dialed = 0;
  beforeAll(async () => {
    for (const name of ACCOUNT_CARRIERS) companies.set(name, await TestPhoneCompany.start(name));
    const urls = [...companies].map(([name, { carrier }]) => [`${name.toUpperCase()}_API_URL`, carrier.url]);
    apis = await startTwoApis({
      allowPrivateTargets: ["127.0.0.0/8"],
      env: { PUBLIC_URL: "https://parley.example", ...Object.fromEntries(urls) },
    });
    const { one, secretsKey } = apis;
    await one.registerNode();
    acme = await one.createOrganization();
    for (const [carrier, { credentials }] of companies) {
      const account = { orgId: acme.orgId, carrier, credentials, number: OURS[carrier], secretsKey };
      await connectAccount(one.database, account);
    }
  });
  afterAll(async () => {
    await apis.close();
    for (const company of companies.values()) await company.close();
  });

  /** A call that was placed, and what its carrier would tell of it. */
  async function place(name: AccountCarrierName) {
    dialed += 1;
    const body = { agentId: acme.agentId, to: `+1202555${4_000 + dialed}`, fromNumber: OURS[name] };
    const answer = await apis.one.call("POST", "/api/sessions/initiate-call", {
      key: acme.keys.developer,
      body,
    });
    const { sessionId, callSid } = answer.body.data as PlacedCall & { callSid: string };
    const { carrier } = companies.get(name)!;
    const status = async () =>
      (await apis.other.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.viewer })).body.status;
    return { callSid, carrier, status };
  }

  async function post(api: TestControlApi, { url, method, headers, body }: SignedCallback): Promise<number> {
    const { pathname, search } = new URL(url);
    return (await api.call(method, pathname + search, { headers, body })).status;
  }

  describe.each(ACCOUNT_CARRIERS)("%s", (name) => {
    it("is refused by every node, and changes nothing", async () => {
      const { callSid, carrier, status } = await place(name);
      const rings = await carrier.sign(callSid, { type: "ringing" });
      expect(await post(apis.one, rings)).toBe(200);
      expect([await post(apis.other, rings), await post(apis.one, rings)]).toEqual([401, 401]);
      expect(await status()).toBe("ringing");
    });

    it("is taken once of many that come at once to both nodes", async () => {
      const { callSid, carrier } = await place(name);
      const rings = await carrier.sign(callSid, { type: "ringing" });
      const racers = Array.from({ length: RACERS }, (_, index) => (index % 2 ? apis.one : apis.other));
      const statuses = await Promise.all(racers.map((api) => post(api, rings)));
      expect(statuses.sort()).toEqual([200, ...Array.from({ length: RACERS - 1 }, () => 401)]);
    });

    it("is not held against the carrier when it could not be dealt with", async () => {
      const { callSid, carrier } = await place(name);
      const call = carrier.calls.get(callSid)!;
      const elsewhere = toldAt(call, call.callbackUrl.replace(/ses_\w+/, "ses_0"));
      const nowhere = { ...elsewhere, callSid: `${callSid}x` };
      carrier.calls.set(nowhere.callSid, nowhere);
      const lost = await carrier.sign(nowhere.callSid, { type: "ringing" });
      expect([await post(apis.one, lost), await post(apis.other, lost)]).toEqual([404, 404]);
    });
  });
});
