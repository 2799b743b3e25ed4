import { afterAll, beforeAll, expect, it } from "vitest";
import { connectAccount } from "../../../testkit/carrier-account.ts";
import { TWILIO_ACCOUNT } from "../../../testkit/fakes/carriers/twilio.ts";
import { TestTelephony } from "../../../testkit/telephony.ts";
import { signTwilio } from "../carriers/twilio/signature.ts";

const OURS = "+12025550131";
const secretsKey = `test:${Buffer.alloc(32, 7).toString("base64")}`;

let phones: TestTelephony;
beforeAll(async () => {
  phones = await TestTelephony.start({ secretsKey });
});
afterAll(() => phones.close());

it("a caller whose number is shown with characters that no database keeps is put through", async () => {
  const { api, organization } = phones;
  const { orgId, agentId, userId } = organization;
  await api.database.db
    .insertInto("memberships")
    .values({ org_id: orgId, user_id: userId, role: "owner" })
    .execute();
  const account = {
    orgId,
    carrier: "twilio",
    credentials: TWILIO_ACCOUNT,
    number: OURS,
    secretsKey,
  } as const;
  const connectionId = await connectAccount(api.database, account);
  await api.database.db
    .updateTable("phone_numbers")
    .set({ agent_id: agentId })
    .where("number", "=", OURS)
    .execute();
  const url = `${api.api.baseUrl}/api/public/carriers/${connectionId}/inbound`;
  const form = new URLSearchParams({
    ...{
      CallSid: "CA\u0000odd",
      CallStatus: "ringing",
      Direction: "inbound",
      From: "+1202\u{0}555",
      To: OURS,
    },
  });
  const answer = await fetch(url, {
    method: "POST",
    headers: { "x-twilio-signature": signTwilio(TWILIO_ACCOUNT.authToken, url, form) },
    body: form,
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("<Stream")]);
  const call = await api.database.db
    .selectFrom("calls")
    .select("identifier")
    .where("org_id", "=", orgId)
    .execute();
  expect(call).toEqual([{ identifier: "+1202\uFFFD555" }]);
});
