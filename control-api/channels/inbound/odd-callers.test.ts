import { afterAll, beforeAll, expect, it } from "vitest";
import { connectAccount } from "../../../testkit/carrier-account.ts";
import { TWILIO_ACCOUNT } from "../../../testkit/fakes/carriers/twilio.ts";
import { TestTelephony } from "../../../testkit/telephony.ts";
import { signTwilio } from "../carriers/twilio/signature.ts";

const OURS = "+12025550131";
const secretsKey = `test:${Buffer.alloc(32, 7).toString("base64")}`;

let phones: TestTelephony;
let url: string;
beforeAll(async () => {
  phones = await TestTelephony.start({ secretsKey });
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
  url = `${api.api.baseUrl}/api/public/carriers/${connectionId}/inbound`;
});
afterAll(() => phones.close());

it.each([
  ["with characters that no database keeps", "+1202\u{0}555", "+1202\uFFFD555", "+1202\uFFFD555"],
  ["as anonymous", "anonymous", null, "anonymous"],
  ["as an anonymous address", "sip:Anonymous@anonymous.invalid", null, "sip:Anonymous@anonymous.invalid"],
  ["as ANONYMOUS on a keypad", "+266696687", null, "+266696687"],
  ["not at all", "", null, null],
  ["by a name", "Anonymouse Ltd", "Anonymouse Ltd", "Anonymouse Ltd"],
])(
  "a caller whose number is shown %s is put through, and is somebody only if a number says so",
  async (_how, From, identifier, fromNumber) => {
    const CallSid = `CA\u0000${From}`;
    const form = new URLSearchParams({
      CallSid,
      CallStatus: "ringing",
      Direction: "inbound",
      From,
      To: OURS,
    });
    const answer = await fetch(url, {
      method: "POST",
      headers: { "x-twilio-signature": signTwilio(TWILIO_ACCOUNT.authToken, url, form) },
      body: form,
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("<Stream")]);
    const call = await phones.api.database.db
      .selectFrom("calls")
      .select(["identifier", "from_number"])
      .where("org_id", "=", phones.organization.orgId)
      .orderBy("id", "desc")
      .executeTakeFirst();
    expect(call).toEqual({ identifier, from_number: fromNumber });
  },
);
