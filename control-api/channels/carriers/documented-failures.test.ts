import { randomBytes } from "node:crypto";
import { ACCOUNT_CARRIERS, type AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAccount, dials } from "../../../testkit/carrier-account.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { REFUSALS } from "../../../testkit/fakes/carriers/refusals.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { TestPhoneCompany } from "../../../testkit/phone-company.ts";

const OURS = {
  twilio: "+12025550131",
  telnyx: "+12025550132",
  plivo: "+12025550133",
  vonage: "+12025550134",
};
const STATUS = { bad_request: 400, too_many_requests: 429 };
const secretsKey = `test:${randomBytes(32).toString("base64")}`;

let api: TestControlApi;
let acme: TestOrganization;
const companies = new Map<AccountCarrierName, TestPhoneCompany>();
let asked = 0;
beforeAll(async () => {
  for (const name of ACCOUNT_CARRIERS) companies.set(name, await TestPhoneCompany.start(name));
  const urls = [...companies].map(([name, { carrier }]) => [`${name.toUpperCase()}_API_URL`, carrier.url]);
  const env = Object.fromEntries(urls);
  api = await TestControlApi.start({ env, secretsKey, allowPrivateTargets: ["127.0.0.0/8"] });
  await api.registerNode();
  acme = await api.createOrganization();
  for (const [carrier, { credentials }] of companies) {
    const account = { orgId: acme.orgId, carrier, credentials, number: OURS[carrier], secretsKey };
    await connectAccount(api.database, account);
  }
});
afterAll(async () => {
  await api.close();
  for (const company of companies.values()) await company.close();
});

async function dial(name: AccountCarrierName) {
  asked += 1;
  const to = `+1202555${5_000 + asked}`;
  const body = { agentId: acme.agentId, to, fromNumber: OURS[name] };
  const answer = await api.call("POST", "/api/sessions/initiate-call", { key: acme.keys.developer, body });
  const rows = () =>
    api.database.db
      .selectFrom("calls")
      .select(["status", "session_id"])
      .where("to_number", "=", to)
      .execute();
  return { answer, rows };
}

describe.each(ACCOUNT_CARRIERS)("a dial that %s refuses", (name) => {
  it.each(REFUSALS[name])(
    "for $failure is told in its words, ends once, and rings nobody",
    async (refusal) => {
      const { carrier } = companies.get(name)!;
      const before = dials(carrier);
      carrier.fault = refusal.answer;
      const { answer, rows } = await dial(name);
      carrier.fault = undefined;
      expect(answer).toMatchObject({
        status: STATUS[refusal.code],
        body: { success: false, code: refusal.code },
      });
      expect(answer.body.error).toContain(refusal.words);
      expect(answer.headers.get("retry-after")).toBe(refusal.code === "too_many_requests" ? "7" : null);
      expect(dials(carrier)).toBe(before + 1);
      await expect.poll(rows).toMatchObject([{ status: "failed" }]);
      const [row] = await rows();
      const ends = await api.database.db
        .selectFrom("call_events")
        .select("body")
        .where("session_id", "=", row?.session_id ?? "")
        .where("type", "=", "call.ended")
        .execute();
      expect(ends).toHaveLength(1);
      expect(ends[0]?.body).toMatchObject({ reason: "carrier_failed", status: "failed" });
    },
  );

  it("for the account's credentials says where to save new ones, and shows none", async () => {
    const { carrier } = companies.get(name)!;
    carrier.fault = { status: 401 };
    const { answer } = await dial(name);
    carrier.fault = undefined;
    expect(answer).toMatchObject({ status: 400, body: { code: "bad_request" } });
    expect(answer.body.error).toContain("/api/orgs/{orgId}/carriers");
  });
});
