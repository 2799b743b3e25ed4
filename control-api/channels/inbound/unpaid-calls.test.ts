import { afterAll, beforeAll, expect, it } from "vitest";
import { connectAccount } from "../../../testkit/carrier-account.ts";
import { PLIVO_ACCOUNT } from "../../../testkit/fakes/carriers/plivo.ts";
import { TWILIO_ACCOUNT } from "../../../testkit/fakes/carriers/twilio.ts";
import { VONAGE_ACCOUNT } from "../../../testkit/fakes/carriers/vonage.ts";
import { TestTelephony } from "../../../testkit/telephony.ts";
import { createPlivoCarrier } from "../carriers/plivo/plivo.ts";
import { signTwilio } from "../carriers/twilio/signature.ts";
import { createTwilioCarrier } from "../carriers/twilio/twilio.ts";
import { createVonageCarrier } from "../carriers/vonage/vonage.ts";

const OURS = "+12025550131";
const secretsKey = `test:${Buffer.alloc(32, 7).toString("base64")}`;
const WORDS = "This number cannot take calls at the moment. Please try again later.";

let phones: TestTelephony;
beforeAll(async () => {
  phones = await TestTelephony.start({ secretsKey, apiEnv: { BILLING: "on" } });
});
afterAll(() => phones.close());

it("a call to a suspended organization is refused in words, and is no call", async () => {
  const { api, organization } = phones;
  const { orgId, agentId, userId } = organization;
  const { db } = api.database;
  await db.insertInto("memberships").values({ org_id: orgId, user_id: userId, role: "owner" }).execute();
  const account = {
    orgId,
    carrier: "twilio",
    credentials: TWILIO_ACCOUNT,
    number: OURS,
    secretsKey,
  } as const;
  const connectionId = await connectAccount(api.database, account);
  await db.updateTable("phone_numbers").set({ agent_id: agentId }).where("number", "=", OURS).execute();
  const now = new Date();
  await db
    .insertInto("billing_accounts")
    .values({ org_id: orgId, plan: "postpaid", state: "suspended", suspended_at: now, created_at: now })
    .execute();
  const url = `${api.api.baseUrl}/api/public/carriers/${connectionId}/inbound`;
  const form = new URLSearchParams({
    ...{ CallSid: "CA1", CallStatus: "ringing", Direction: "inbound", From: "+12025550199", To: OURS },
  });
  const headers = { "x-twilio-signature": signTwilio(TWILIO_ACCOUNT.authToken, url, form) };
  const answer = await fetch(url, { method: "POST", headers, body: form });
  expect(await answer.text()).toContain(`<Response><Say>${WORDS}</Say><Hangup/></Response>`);
  expect(await db.selectFrom("calls").select("id").where("org_id", "=", orgId).execute()).toEqual([]);
});

it("each carrier that speaks before it answers says the words", async () => {
  const carriers = [
    createTwilioCarrier(TWILIO_ACCOUNT, {} as never),
    createPlivoCarrier(PLIVO_ACCOUNT, {} as never),
    createVonageCarrier(VONAGE_ACCOUNT, {} as never),
  ];
  const answers = await Promise.all(carriers.map((carrier) => carrier.refuse("1", WORDS)));
  for (const { body } of answers) expect(body).toContain(WORDS);
});
