import { randomBytes } from "node:crypto";
import { CALL_EVENTS_STREAM } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { timesRecorded } from "../../../testkit/call-events.ts";
import { TestCallee } from "../../../testkit/callee.ts";
import { connectAccount } from "../../../testkit/carrier-account.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { FakeCall, FakeCarrier } from "../../../testkit/fakes/carriers/fake-carrier.ts";
import { startFakeTwilio, TWILIO_ACCOUNT } from "../../../testkit/fakes/carriers/twilio.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import type { EndStatus } from "./carrier.ts";

const FROM = "+12025550123";
const secretsKey = `test:${randomBytes(32).toString("base64")}`;

let fake: FakeCarrier;
let api: TestControlApi;
let acme: TestOrganization;
let connectionId: string;
let dialed = 0;
// No gateway: nobody holds these calls, and what their carrier says last is their end.
beforeAll(async () => {
  fake = await startFakeTwilio();
  const env = { TWILIO_API_URL: fake.url };
  api = await TestControlApi.start({ env, secretsKey, allowPrivateTargets: ["127.0.0.0/8"] });
  await api.registerNode();
  acme = await api.createOrganization();
  const account = { orgId: acme.orgId, carrier: "twilio", credentials: TWILIO_ACCOUNT } as const;
  connectionId = await connectAccount(api.database, { ...account, number: FROM, secretsKey });
});
afterAll(async () => {
  await api.close();
  await fake.close();
});

async function dial(): Promise<{ sessionId: string; callSid: string }> {
  dialed += 1;
  const body = { agentId: acme.agentId, to: `+1202555${5_100 + dialed}` };
  const placed = await api.call("POST", "/api/sessions/initiate-call", { key: acme.keys.developer, body });
  return placed.body.data as { sessionId: string; callSid: string };
}

/** As a gateway tells it. */
async function goLive(sessionId: string): Promise<void> {
  const about = { id: newId("evt"), sessionId, orgId: acme.orgId, seq: 0, at: new Date().toISOString() };
  const started = { ...about, type: "call.started", nodeId: "nod_1", audio: "mulaw/8000" };
  await api.bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(started));
  await expect.poll(async () => (await read(sessionId)).status).toBe("in-progress");
}

const read = async (sessionId: string) =>
  (await api.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.viewer })).body;

/** The record once it has an end. */
async function ended(sessionId: string) {
  await expect.poll(async () => (await read(sessionId)).endTime).not.toBeNull();
  return read(sessionId);
}

describe("a call that nobody has answered", () => {
  it.each<[EndStatus, string, string | null]>([
    ["completed", "no-answer", null],
    ["busy", "busy", "busy"],
    ["no-answer", "no-answer", "no_answer"],
    ["failed", "failed", "carrier_failed"],
    ["canceled", "canceled", "api_request"],
  ])("and that its carrier says is %s is %s", async (word, status, endReason) => {
    const { sessionId, callSid } = await dial();
    await fake.tell(callSid, { type: "ended", status: word });
    expect(await ended(sessionId)).toMatchObject({ status, endReason, startTime: null });
  });
});

describe("a call that went live", () => {
  it.each<[EndStatus, string, string | null]>([
    ["completed", "completed", null],
    ["busy", "completed", null],
    ["no-answer", "completed", null],
    ["canceled", "completed", null],
    ["failed", "failed", "carrier_failed"],
  ])("and that its carrier says is %s is %s, once", async (word, status, endReason) => {
    const { sessionId, callSid } = await dial();
    await goLive(sessionId);
    await fake.tell(callSid, { type: "ended", status: word });
    const record = await ended(sessionId);
    expect(record).toMatchObject({ status, endReason });
    expect(record.startTime).not.toBeNull();
    for (const again of ["busy", "failed"] as const)
      await fake.tell(callSid, { type: "ended", status: again });
    expect(await read(sessionId)).toMatchObject({ status, endReason });
    expect(await timesRecorded(api.database, sessionId, "call.ended")).toBe(1);
  });
});

describe("a call that a member has taken", () => {
  it("and whose caller gives up before they are connected was not answered", async () => {
    const { orgId, keys } = acme;
    const ada = await TestCallee.create(api, { orgId, key: keys.developer, carrier: "twilio" });
    const call: FakeCall = {
      callSid: "CAtaken",
      direction: "inbound",
      from: "+12025550177",
      to: ada.number,
      callbackUrl: `${api.api.baseUrl}/api/public/carriers/${connectionId}/inbound`,
      state: "ringing",
    };
    await fake.callIn(call);
    const { session_id: sessionId } = await api.database.db
      .selectFrom("calls")
      .select("session_id")
      .where("call_sid", "=", "CAtaken")
      .executeTakeFirstOrThrow();
    expect((await read(sessionId)).status).toBe("ringing");
    await ada.answer(sessionId);
    expect((await read(sessionId)).status).toBe("in-progress");
    await fake.tell("CAtaken", { type: "ended", status: "completed" });
    expect(await ended(sessionId)).toMatchObject({ status: "no-answer", startTime: null });
  });
});
