import { RING_BACK } from "@parley/media/tones/call-tones.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestCallee } from "../../../testkit/callee.ts";
import { TestCaller } from "../../../testkit/caller.ts";
import { memberOnly } from "../../../testkit/members.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";
import { LOUD, loudness, STAY, TestSoftphones } from "../../../testkit/softphones.ts";
import { flite } from "../../../testkit/speech.ts";
import { OUR_NUMBER, type TestTelephony } from "../../../testkit/telephony.ts";
import { Limits } from "../../http/limits/limits.ts";

const SOMEBODY = "+12025550177";
let softphones: TestSoftphones;
let phones: TestTelephony;
let ada: TestCallee;
beforeAll(async () => {
  softphones = await TestSoftphones.start();
  phones = softphones.telephony;
  const { orgId, keys } = phones.organization;
  ada = await TestCallee.create(phones.api, { orgId, key: keys.developer });
});
afterAll(() => softphones.close());

/** The start of what somebody hears whose call rings. */
const ringBack = (frames: number): number[] =>
  RING_BACK.slice(0, frames).flatMap((frame) => [...(frame ?? [])]);

describe("a call to a member's number", () => {
  it("rings on each device, its caller hears that it does, and one who answers talks to them", async () => {
    const [desk, mobile] = [await ada.listen(), await ada.listen()];
    const { sessionId } = await ada.ring([{ do: "say", text: "Good morning. Is this the bakery?" }, STAY]);
    for (const device of [desk, mobile]) await device.untilTold(sessionId, "ringing");
    const record = await phones.untilStatus(sessionId, "ringing");
    expect(desk.dataOf(sessionId)).toEqual({
      sessionId,
      callId: record.id,
      fromNumber: SOMEBODY,
      toNumber: ada.number,
      at: record.createdAt,
    });
    await expect.poll(() => softphones.heardBy(sessionId).length).toBeGreaterThan(3_200);
    expect([...softphones.heardBy(sessionId)].slice(0, 3_200)).toEqual(ringBack(10));
    const deviceSession = await ada.answer(sessionId);
    expect(deviceSession).toMatchObject({
      sessionId,
      callMode: "manual",
      fromNumber: SOMEBODY,
      toNumber: ada.number,
    });
    const softphone = await TestCaller.start(deviceSession.websocketUrl);
    onTestFinished(() => softphone.drop());
    await softphone.next("leg", ({ state }) => state === "live");
    for (const device of [desk, mobile]) await device.untilTold(sessionId, "ringing", "answered");
    await expect.poll(() => loudness(softphone.heard()), { timeout: 90_000 }).toBeGreaterThan(LOUD);
    phones.heard.get(sessionId)?.splice(0);
    await softphone.speak(await flite("Yes it is. What can I do for you?"));
    await softphones.untilHeard(sessionId);
    softphone.send({ type: "hangup" });
    expect(await phones.untilStatus(sessionId, "completed")).toMatchObject({
      channel: "softphone",
      direction: "inbound",
      fromNumber: SOMEBODY,
      toNumber: ada.number,
      agentId: null,
      endReason: null,
    });
    expect(await softphones.eventsOf(sessionId)).toEqual(["call.started", "recording.ready", "call.ended"]);
    const { left, right } = await softphones.recordingOf(sessionId);
    expect(loudness(left)).toBeGreaterThan(LOUD);
    expect(loudness(right)).toBeGreaterThan(LOUD);
  });

  it("rings on a device that comes while it does", async () => {
    const { sessionId } = await ada.ring([STAY]);
    const late = await ada.listen();
    await late.untilTold(sessionId, "ringing");
    await ada.call("POST", `/api/sessions/${sessionId}/decline`);
    await late.untilTold(sessionId, "ringing", "declined");
  });

  it("that is declined is over for its caller and for every device", async () => {
    const [desk, mobile] = [await ada.listen(), await ada.listen()];
    const { sessionId } = await ada.ring([STAY]);
    await desk.untilTold(sessionId, "ringing");
    const declined = await ada.call("POST", `/api/sessions/${sessionId}/decline`);
    expect(declined.body).toEqual({ success: true, data: { sessionId, status: "declined" } });
    for (const device of [desk, mobile]) await device.untilTold(sessionId, "ringing", "declined");
    const record = await phones.untilStatus(sessionId, "busy");
    await expect.poll(async () => (await phones.record(sessionId)).endReason).toBe("declined");
    expect(record.startTime).toBeNull();
    expect(await softphones.eventsOf(sessionId)).toEqual(["call.ended"]);
    const late = await ada.call("POST", `/api/sessions/${sessionId}/answer`);
    expect(late).toMatchObject({ status: 404, body: { code: "session_ended" } });
  });

  it("whose caller gives up was not answered, and stops ringing", async () => {
    const device = await ada.listen();
    const { sessionId } = await ada.ring([STAY]);
    await device.untilTold(sessionId, "ringing");
    const { call_sid } = await phones.api.database.db
      .selectFrom("calls")
      .select("call_sid")
      .where("session_id", "=", sessionId)
      .executeTakeFirstOrThrow();
    await phones.hangUpPhone(call_sid ?? "");
    await device.untilTold(sessionId, "ringing", "hung_up");
    expect(await phones.untilStatus(sessionId, "no-answer")).toMatchObject({
      startTime: null,
      endReason: null,
    });
    expect(await softphones.eventsOf(sessionId)).toEqual(["call.ended"]);
  });

  it("is told of by webhooks as a softphone's call, from the answer on", async () => {
    const receiver = await TestReceiver.answering();
    onTestFinished(() => receiver.close());
    const { orgId, keys } = phones.organization;
    const endpoint = { key: keys.owner, body: { url: receiver.url } };
    expect((await phones.api.call("POST", `/api/orgs/${orgId}/webhooks`, endpoint)).status).toBe(201);
    const { sessionId } = await ada.ring([
      { do: "press", keys: "7" },
      { do: "wait", ms: 500 },
      { do: "hangUp" },
    ]);
    const softphone = await TestCaller.start((await ada.answer(sessionId)).websocketUrl);
    onTestFinished(() => softphone.drop());
    const hooks = () =>
      receiver.received
        .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
        .filter((hook) => hook.sessionId === sessionId);
    const names = () => hooks().map(({ event }) => String(event));
    await expect
      .poll(() => names().toSorted())
      .toEqual(["call.dtmf", "call.ended", "call.started", "recording.ready"]);
    for (const event of ["call.started", "call.ended"])
      expect(hooks().find((hook) => hook.event === event)).toMatchObject({
        direction: "outbound",
        channel: "softphone",
        callSid: expect.stringMatching(/^LB/),
        fromNumber: SOMEBODY,
        toNumber: ada.number,
        userId: ada.person.userId,
        agentId: null,
      });
    expect(hooks().find(({ event }) => event === "call.started")).toMatchObject({ from: ada.number });
  });

  it("that is answered before its caller's audio is there begins when it is", async () => {
    const { sessionId } = await ada.ring([STAY]);
    const softphone = await TestCaller.start((await ada.answer(sessionId)).websocketUrl);
    await softphone.next("leg", ({ state }) => state === "live");
    softphone.send({ type: "hangup" });
    await phones.untilStatus(sessionId, "completed");
    const started = (await softphones.eventsOf(sessionId)).filter((type) => type === "call.started");
    expect(started).toHaveLength(1);
  });
});

describe("answering", () => {
  it("is done by one of many devices that try at once", async () => {
    const { sessionId } = await ada.ring([STAY]);
    const all = await Promise.all(
      Array.from({ length: 8 }, () => ada.call("POST", `/api/sessions/${sessionId}/answer`)),
    );
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect(all.find(({ status }) => status === 409)?.body).toMatchObject({ code: "conflict" });
    await phones.request("DELETE", `/api/sessions/${sessionId}`);
  });

  it("is for whom it rings: another member may not, a key of the organization may", async () => {
    const { orgId, keys } = phones.organization;
    const bob = await TestCallee.create(phones.api, { orgId, key: keys.developer });
    const { sessionId } = await ada.ring([STAY]);
    for (const what of ["answer", "decline"]) {
      const tried = await bob.call("POST", `/api/sessions/${sessionId}/${what}`);
      expect(tried).toMatchObject({ status: 403, body: { code: "forbidden" } });
    }
    const device = await bob.listen();
    const own = await bob.ring([STAY]);
    await device.untilTold(own.sessionId, "ringing");
    expect(device.told(sessionId)).toEqual([]);
    await phones.request("DELETE", `/api/sessions/${own.sessionId}`);
    expect((await phones.request("POST", `/api/sessions/${sessionId}/answer`)).status).toBe(200);
    await phones.request("DELETE", `/api/sessions/${sessionId}`);
  });

  it.each(["answer", "decline", "attach"])("%s of what is no such call is a 404", async (what) => {
    const dialed = await softphones.place(softphones.phone([STAY], { ringMs: 5_000 }));
    const paths = what === "attach" ? ["ses_none"] : ["ses_none", dialed.sessionId];
    for (const sessionId of paths) {
      const answer = await phones.request("POST", `/api/sessions/${sessionId}/${what}`);
      expect(answer).toMatchObject({ status: 404, body: { code: "session_ended" } });
    }
  });
});

describe("a device that listens", () => {
  it("is let go within 15 s when its member may not answer any more", async () => {
    const { orgId, keys } = phones.organization;
    const leaver = await TestCallee.create(phones.api, { orgId, key: keys.developer });
    const device = await leaver.listen();
    await leaver.person.call("POST", "/api/auth/logout");
    await device.ended;
  });

  it("is one of eight at most", async () => {
    const { orgId, keys } = phones.organization;
    const many = await TestCallee.create(phones.api, { orgId, key: keys.developer });
    const devices = await Promise.all(Array.from({ length: 8 }, () => many.listen()));
    expect(await many.call("GET", "/api/me/incoming-calls")).toMatchObject({
      status: 429,
      body: { code: "too_many_requests" },
    });
    devices[0]?.leave();
    await expect.poll(async () => (await many.call("GET", "/api/me/incoming-calls")).status).toBe(200);
  });
});

describe("a simulated phone that calls", () => {
  const callIn = (body: Record<string, unknown>) =>
    phones.request("POST", `/api/orgs/${phones.organization.orgId}/loopback-calls`, body);

  it("reaches the agent of an agent's number", async () => {
    const number = "+12025554900";
    const { agentId, orgId } = phones.organization;
    await memberOnly(phones.api, orgId, "owner");
    await phones.request("POST", "/api/v1/numbers", { number, agentId });
    const answer = await callIn({ to: number, script: [{ do: "say", text: "Are you open today?" }, STAY] });
    expect(answer.status).toBe(201);
    const { sessionId } = answer.body.data as { sessionId: string };
    await expect
      .poll(async () => (await phones.record(sessionId)).transcript.map(({ text }) => text), {
        timeout: 90_000,
      })
      .toEqual(["Are you open today?", "I hear you."]);
    expect(await phones.record(sessionId)).toMatchObject({ direction: "inbound", channel: "telephony" });
    await phones.request("DELETE", `/api/sessions/${sessionId}`);
  });

  it("is told of by webhooks as an inbound call of that agent, and its caller is its identifier", async () => {
    const { orgId, keys } = phones.organization;
    await memberOnly(phones.api, orgId, "owner");
    const agentId = await phones.agent({ firstResponse: "Hello." });
    const receiver = await TestReceiver.answering();
    onTestFinished(() => receiver.close());
    const endpoint = { key: keys.owner, body: { url: receiver.url, agentId } };
    expect((await phones.api.call("POST", `/api/orgs/${orgId}/webhooks`, endpoint)).status).toBe(201);
    const number = "+12025554903";
    await phones.request("POST", "/api/v1/numbers", { number, agentId });
    const from = "+12025554904";
    const listen = { do: "listen", quietMs: 1_500, withinMs: 10_000 };
    const placed = await callIn({ to: number, from, script: [listen, { do: "hangUp" }] });
    const { sessionId, callSid } = placed.body.data as { sessionId: string; callSid: string };
    const hooks = () => receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    await expect
      .poll(() => hooks().map(({ event }) => event), { timeout: 90_000 })
      .toEqual(expect.arrayContaining(["call.started", "transcript.ready", "call.ended"]));
    const about = { agentId, sessionId, identifier: from };
    const leg = { direction: "inbound", channel: "telephony", callSid, fromNumber: from, toNumber: number };
    const of = (name: string) => hooks().filter(({ event }) => event === name);
    expect(of("call.started")).toMatchObject([{ ...about, ...leg, from: number }]);
    expect(of("transcript.ready")).toMatchObject([{ ...about, role: "assistant", text: "Hello." }]);
    expect(of("call.ended")).toMatchObject([{ ...about, ...leg, fromOrTo: number, endReason: null }]);
  });

  it("is refused by a number that nobody answers, or whose member may not any more", async () => {
    const { orgId, keys } = phones.organization;
    const reader = await TestCallee.create(phones.api, { orgId, key: keys.developer });
    await phones.api.database.db
      .updateTable("memberships")
      .set({ role: "member" })
      .where("org_id", "=", orgId)
      .where("user_id", "=", reader.person.userId)
      .execute();
    for (const to of [OUR_NUMBER, reader.number])
      expect(await callIn({ to })).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  it.each([
    ["somebody else's number", { to: "+12025550999" }, "loopback number"],
    ["a step nobody knows", { to: OUR_NUMBER, script: [{ do: "sing" }] }, "script"],
    ["no number", { to: "12" }, "to"],
  ])("cannot call %s", async (_what, body, named) => {
    const answer = await callIn(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(named);
  });

  it("calls an organization 120 times a minute at most", async () => {
    const [busy, other] = [await phones.api.createOrganization(), await phones.api.createOrganization()];
    const limits = new Limits({ database: phones.api.database, clock: systemClock });
    for (let call = 1; call < 120; call++) await limits.take("loopback_calls_per_organization", busy.orgId);
    const callTo = ({ orgId, keys }: typeof busy) =>
      phones.api.call("POST", `/api/orgs/${orgId}/loopback-calls`, {
        key: keys.developer,
        body: { to: "+12025554902" },
      });
    expect((await callTo(busy)).status, "the last one: it has no such number").toBe(400);
    const refused = await callTo(busy);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "too_many_requests", details: { limit: "loopback_calls_per_organization" } },
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await callTo(other)).status).toBe(400);
  });

  it("cannot call a number that a real carrier has", async () => {
    const number = "+12025554901";
    await phones.request("POST", "/api/v1/numbers", { number, carrier: "twilio" });
    expect((await callIn({ to: number })).status).toBe(400);
  });
});
