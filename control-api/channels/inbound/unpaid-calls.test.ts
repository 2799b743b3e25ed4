import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAccount } from "../../../testkit/carrier-account.ts";
import type { FakeCall, FakeCarrier } from "../../../testkit/fakes/carriers/fake-carrier.ts";
import { PLIVO_ACCOUNT } from "../../../testkit/fakes/carriers/plivo.ts";
import { startFakeTelnyx, TELNYX_ACCOUNT } from "../../../testkit/fakes/carriers/telnyx.ts";
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
let telnyx: FakeCarrier;
beforeAll(async () => {
  telnyx = await startFakeTelnyx();
  const apiEnv = { BILLING: "on", TELNYX_API_URL: telnyx.url };
  phones = await TestTelephony.start({ secretsKey, apiEnv });
  const { api, organization } = phones;
  const { orgId, userId } = organization;
  const { db } = api.database;
  await db.insertInto("memberships").values({ org_id: orgId, user_id: userId, role: "owner" }).execute();
  const now = new Date();
  await db
    .insertInto("billing_accounts")
    .values({ org_id: orgId, plan: "postpaid", state: "suspended", suspended_at: now, created_at: now })
    .execute();
});
afterAll(async () => {
  await phones.close();
  await telnyx.close();
});

/** Where the carrier tells of calls to a number of the suspended organization, whose agent has it. */
async function inboundUrl(
  about: Pick<Parameters<typeof connectAccount>[1], "carrier" | "credentials" | "number">,
): Promise<string> {
  const { api, organization } = phones;
  const { orgId, agentId } = organization;
  const connectionId = await connectAccount(api.database, { ...about, orgId, secretsKey });
  await api.database.db
    .updateTable("phone_numbers")
    .set({ agent_id: agentId })
    .where("number", "=", about.number)
    .execute();
  return `${api.api.baseUrl}/api/public/carriers/${connectionId}/inbound`;
}

const callsOf = ({ api, organization: { orgId } }: TestTelephony) =>
  api.database.db.selectFrom("calls").select("id").where("org_id", "=", orgId).execute();

it("a call to a suspended organization is refused in words, and is no call", async () => {
  const url = await inboundUrl({ carrier: "twilio", credentials: TWILIO_ACCOUNT, number: OURS });
  const form = new URLSearchParams({
    ...{ CallSid: "CA1", CallStatus: "ringing", Direction: "inbound", From: "+12025550199", To: OURS },
  });
  const headers = { "x-twilio-signature": signTwilio(TWILIO_ACCOUNT.authToken, url, form) };
  const answer = await fetch(url, { method: "POST", headers, body: form });
  expect(await answer.text()).toContain(`<Response><Say>${WORDS}</Say><Hangup/></Response>`);
  expect(await callsOf(phones)).toEqual([]);
});

describe("at Telnyx, which speaks only to those it has answered,", () => {
  const number = "+12025550132";
  let callbackUrl: string;
  let nr = 0;
  beforeAll(async () => {
    callbackUrl = await inboundUrl({ carrier: "telnyx", credentials: TELNYX_ACCOUNT, number });
  });

  /** A caller whose call was answered, and what Telnyx was told to do with it. */
  async function answered(): Promise<{ call: FakeCall; commands: () => string[] }> {
    const callSid = `v3:unpaid-${++nr}`;
    const call: FakeCall = {
      ...{ callSid, direction: "inbound", from: "+12025550199", to: number },
      ...{ callbackUrl, state: "ringing" },
    };
    await telnyx.callIn(call);
    expect(call).toMatchObject({ state: "answered", mediaUrl: undefined });
    const ofCall = `/v2/calls/${encodeURIComponent(callSid)}/actions/`;
    return {
      call,
      commands: () =>
        telnyx.requests.flatMap(({ path }) => (path.startsWith(ofCall) ? [path.slice(ofCall.length)] : [])),
    };
  }

  it("they hear why, and are hung up on once they have", async () => {
    const { call, commands } = await answered();
    await telnyx.tell(call.callSid, { type: "answered" });
    expect(call.whisper?.text).toBe(WORDS);
    expect(commands()).toEqual(["answer", "speak"]);
    await telnyx.tell(call.callSid, { type: "whispered" });
    expect(commands()).toEqual(["answer", "speak", "hangup"]);
    expect(call.state).toBe("ended");
    expect(await callsOf(phones)).toEqual([]);
  });

  it("they are not left in silence when it does not speak", async () => {
    const { call, commands } = await answered();
    telnyx.fault = { status: 422, body: { errors: [{ code: "10015", title: "No voice" }] } };
    // The command to hang up fails as well, so Telnyx tells again that the call was answered.
    await telnyx.tell(call.callSid, { type: "answered" });
    telnyx.fault = undefined;
    await telnyx.tell(call.callSid, { type: "answered" });
    await telnyx.tell(call.callSid, { type: "whispered" });
    expect(commands()).toEqual(["answer", "speak", "hangup", "speak", "hangup"]);
  });

  it("they may hang up before", async () => {
    const { call, commands } = await answered();
    call.state = "ended";
    const callback = await telnyx.sign(call.callSid, { type: "answered" });
    expect(await telnyx.post(callback, call)).toBe("{}");
    expect(commands()).toEqual(["answer", "speak", "hangup"]);
  });
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
