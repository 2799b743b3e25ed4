import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { FakeCall } from "../../../testkit/fakes/carriers/fake-carrier.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { TestPhoneCompany } from "../../../testkit/phone-company.ts";

const PUBLIC_URL = "https://voice.example";
/** Those that sign the address they call. */
const NAMES = ["twilio", "plivo"] as const;

let companies: TestPhoneCompany[];
let api: TestControlApi;
let owner: TestPerson;
beforeAll(async () => {
  companies = await Promise.all(NAMES.map((name) => TestPhoneCompany.start(name)));
  const urls = companies.map(({ name, carrier }) => [`${name.toUpperCase()}_API_URL`, carrier.url]);
  const env = { ...Object.fromEntries(urls), PUBLIC_URL };
  api = await TestControlApi.start({ env, allowPrivateTargets: ["127.0.0.0/8"] });
  owner = await TestPerson.registerVerified(api);
});
afterAll(async () => {
  await api.close();
  for (const company of companies) await company.close();
});

describe("behind a proxy", () => {
  it.each(NAMES)("a callback of %s is signed for the public address, and for no other", async (name) => {
    const company = companies.find((one) => one.name === name)!;
    const body = { carrier: name, credentials: company.credentials };
    const connected = await owner.call("POST", `/api/orgs/${owner.orgId}/carriers`, body);
    const path = `/api/public/carriers/${(connected.body.data as { id: string }).id}/inbound`;
    const signedFor = async (callbackUrl: string): Promise<number> => {
      const [from, to, callSid] = ["+12025550178", "+12025550131", "leg"];
      const call: FakeCall = {
        callSid,
        direction: "inbound",
        from,
        to,
        callbackUrl,
        state: "ringing",
      };
      company.carrier.calls.set(callSid, call);
      const { method, headers, body: form } = await company.carrier.sign(callSid, { type: "ringing" });
      return (await fetch(`http://127.0.0.1:${api.api.port}${path}`, { method, headers, body: form })).status;
    };
    expect(await signedFor(PUBLIC_URL + path)).toBe(200);
    expect(await signedFor(`http://127.0.0.1:${api.api.port}${path}`)).toBe(401);
  });
});
