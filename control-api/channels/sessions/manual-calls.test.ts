// Real time: people talk by softphone and phone, and what each hears is compared as it comes.
import { HOLD_BEEPS } from "@parley/media/tones/call-tones.ts";
import { DATE_VARIABLES } from "@parley/shared/contracts/call-variables.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestCaller } from "../../../testkit/caller.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";
import {
  INIT_MANUAL_CALL,
  keysIn,
  LOUD,
  loudness,
  STAY,
  TestSoftphones,
} from "../../../testkit/softphones.ts";
import { flite } from "../../../testkit/speech.ts";
import { OUR_NUMBER, type TestTelephony } from "../../../testkit/telephony.ts";
import type { PhoneStep } from "../carriers/loopback/script.ts";

/** Whoever is put on hold hears two beeps first. */
const AFTER_THE_BEEPS: PhoneStep = { do: "listen", quietMs: 700, withinMs: 20_000 };

let softphones: TestSoftphones;
let phones: TestTelephony;
beforeAll(async () => {
  softphones = await TestSoftphones.start();
  phones = softphones.telephony;
});
afterAll(() => softphones.close());

async function receiverOfHooks(): Promise<TestReceiver> {
  const receiver = await TestReceiver.answering();
  onTestFinished(() => receiver.close());
  const { orgId, keys } = phones.organization;
  const endpoint = { key: keys.owner, body: { url: receiver.url } };
  expect((await phones.api.call("POST", `/api/orgs/${orgId}/webhooks`, endpoint)).status).toBe(201);
  return receiver;
}

/** What webhooks told of a session. */
function toldTo({ received }: TestReceiver, sessionId: string | undefined) {
  const hooks = received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  return hooks.filter((hook) => hook.sessionId === sessionId);
}

describe("a manual call", () => {
  it("carries both voices, is recorded, and is told of as a softphone's call", async () => {
    const to = softphones.phone([
      { do: "say", text: "Good morning, this is the bakery. What can I do for you?" },
      STAY,
    ]);
    const { call, softphone } = await softphones.talkTo(to);
    const { sessionId } = call;
    expect(call).toMatchObject({ callMode: "manual", fromNumber: OUR_NUMBER, toNumber: to });
    expect(call.callSid).toMatch(/^LB/);
    expect(softphone.messages[0]).toMatchObject({ type: "ready", mode: "manual", recognition: "server" });
    // The phone's voice starts with its first word: seconds on a busy machine.
    await expect.poll(() => loudness(softphone.heard()), { timeout: 90_000 }).toBeGreaterThan(LOUD);
    const question = await flite("I would like two loaves of bread please.");
    await softphone.speak(question);
    await softphones.untilHeard(sessionId);
    expect(softphones.heardBy(sessionId).length).toBeGreaterThan(question.length * 0.7);
    softphone.send({ type: "hangup" });
    expect(await softphone.untilClosed()).toMatchObject({ code: 1000 });
    const record = await phones.untilStatus(sessionId, "completed");
    expect(record).toMatchObject({
      channel: "softphone",
      direction: "outbound",
      agentId: null,
      agentName: null,
      fromNumber: OUR_NUMBER,
      toNumber: to,
      endReason: null,
    });
    const { left, right } = await softphones.recordingOf(sessionId);
    expect(loudness(left)).toBeGreaterThan(LOUD);
    expect(loudness(right)).toBeGreaterThan(LOUD);
    expect(await softphones.eventsOf(sessionId)).toEqual(["call.started", "recording.ready", "call.ended"]);
  });

  it("sends the webhooks of every call: without an agent, with its leg and the date", async () => {
    const receiver = await receiverOfHooks();
    const to = softphones.phone([{ do: "press", keys: "7" }, { do: "wait", ms: 300 }, { do: "hangUp" }]);
    const { call } = await softphones.talkTo(to);
    const { sessionId, callSid } = call;
    const hooks = () => toldTo(receiver, sessionId);
    const names = ["call.dtmf", "call.ended", "call.started", "recording.ready"];
    await expect
      .poll(
        () =>
          hooks()
            .map(({ event }) => String(event))
            .toSorted(),
        { timeout: 90_000 },
      )
      .toEqual(names);
    const leg = {
      direction: "outbound",
      channel: "softphone",
      callSid,
      fromNumber: OUR_NUMBER,
      toNumber: to,
    };
    for (const event of ["call.started", "call.ended"]) {
      const hook = hooks().find((one) => one.event === event);
      expect(hook).toMatchObject({ ...leg, agentId: null });
      expect(Object.keys(hook?.variables as object).toSorted()).toEqual([...DATE_VARIABLES].toSorted());
    }
    expect(hooks().find(({ event }) => event === "call.dtmf")).toMatchObject({ digit: "7", agentId: null });
  });

  it("that the phone hangs up ends the softphone's", async () => {
    const { call, softphone } = await softphones.talkTo(
      softphones.phone([{ do: "wait", ms: 300 }, { do: "hangUp" }]),
    );
    expect(await softphone.next("ended")).toMatchObject({ reason: "hangup" });
    expect(await softphone.untilClosed()).toMatchObject({ code: 1000 });
    await phones.untilStatus(call.sessionId, "completed");
    expect(await softphones.eventsOf(call.sessionId)).toContain("call.started");
  });

  it("to a phone that is busy never began, and the softphone is told", async () => {
    const { sessionId, websocketUrl } = await softphones.place(
      softphones.phone([], { outcome: "busy", ringMs: 400 }),
    );
    const softphone = await TestCaller.start(websocketUrl);
    await softphone.next("leg", ({ state }) => state === "connecting");
    expect(await softphone.next("ended")).toMatchObject({ reason: "busy" });
    expect(await phones.untilStatus(sessionId, "busy")).toMatchObject({ startTime: null, recording: null });
    expect(await softphones.eventsOf(sessionId)).toEqual(["call.ended"]);
  });

  it("to a number that is not in service is refused, recorded as failed, and told with the session's id as its leg", async () => {
    const receiver = await receiverOfHooks();
    const to = softphones.phone([], { outcome: "refuses" });
    const answer = await phones.request("POST", INIT_MANUAL_CALL, { to, from: OUR_NUMBER });
    expect(answer).toMatchObject({ status: 400, body: { code: "bad_request" } });
    const { db } = phones.api.database;
    const failed = () =>
      db.selectFrom("calls").select(["status", "session_id"]).where("to_number", "=", to).execute();
    const sessionId = expect.stringMatching(/^ses_/) as string;
    await expect.poll(failed).toEqual([{ status: "failed", session_id: sessionId }]);
    const [call] = await failed();
    const told = () => toldTo(receiver, call?.session_id);
    await expect.poll(told).toMatchObject([{ event: "call.ended", callSid: call?.session_id }]);
  });

  it("begins once also when both ends come at the same moment", async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const call = await softphones.place(softphones.phone([STAY], { ringMs: 0 }));
        const softphone = await TestCaller.start(call.websocketUrl);
        await softphone.next("leg", ({ state }) => state === "live");
        softphone.send({ type: "hangup" });
        return call.sessionId;
      }),
    );
    for (const sessionId of all) {
      await phones.untilStatus(sessionId, "completed");
      expect((await softphones.eventsOf(sessionId)).filter((type) => type === "call.started")).toHaveLength(
        1,
      );
    }
  });

  it("that the softphone gives up while it rings is canceled, and the phone stops ringing", async () => {
    const { sessionId, websocketUrl } = await softphones.place(softphones.phone([STAY], { ringMs: 20_000 }));
    const softphone = await TestCaller.start(websocketUrl);
    softphone.send({ type: "hangup" });
    await softphone.untilClosed();
    expect(await phones.untilStatus(sessionId, "canceled")).toMatchObject({ startTime: null });
  });

  it("without a softphone is silent, goes on, and takes one later", async () => {
    const says: PhoneStep[] = [{ do: "say", text: "Hello?" }, { do: "press", keys: "5" }, STAY];
    const call = await softphones.place(softphones.phone(says));
    await phones.untilStatus(call.sessionId, "in-progress");
    await expect.poll(() => softphones.eventsOf(call.sessionId)).toEqual(["call.started", "call.dtmf"]);
    expect(loudness(softphones.heardBy(call.sessionId))).toBe(0);
    const softphone = await TestCaller.start(call.websocketUrl);
    await softphone.next("leg", ({ state }) => state === "live");
    await softphone.speak(await flite("Hello?"));
    await softphones.untilHeard(call.sessionId);
    expect((await phones.request("DELETE", `/api/sessions/${call.sessionId}`)).status).toBe(200);
    expect(await softphone.next("ended")).toMatchObject({ reason: "api_request" });
  });

  it("has its keys pressed on either side", async () => {
    const { call, softphone } = await softphones.talkTo(
      // Nobody presses a key in the moment in which they answer.
      softphones.phone([{ do: "wait", ms: 1_500 }, { do: "press", keys: "42#" }, STAY]),
    );
    // The phone may press before the softphone is told that somebody has answered.
    const pressed = () =>
      softphone.messages.flatMap((message) => (message.type === "dtmf" ? [message.digits] : []));
    await expect.poll(pressed, { timeout: 90_000 }).toEqual(["4", "2", "#"]);
    for (const digit of ["1", "9", "*"]) softphone.send({ type: "dtmf", digit });
    await expect.poll(() => keysIn(softphones.heardBy(call.sessionId)), { timeout: 90_000 }).toBe("19*");
    await expect
      .poll(() => softphones.eventsOf(call.sessionId))
      .toEqual(["call.started", "call.dtmf", "call.dtmf", "call.dtmf"]);
  });

  it("on hold carries neither voice, the phone hears two beeps, and it goes on afterwards", async () => {
    const say: PhoneStep = { do: "say", text: "One two three four five six seven eight nine ten." };
    const { call, softphone } = await softphones.talkTo(
      softphones.phone([AFTER_THE_BEEPS, say, say, say, say, say, STAY]),
    );
    softphone.send({ type: "hold", on: true });
    const words = await flite("Nobody should hear this sentence at all.");
    await softphone.speak(words);
    const beeps = HOLD_BEEPS.flatMap((frame) => [...(frame ?? [])]);
    expect([...softphones.heardBy(call.sessionId)]).toEqual(beeps);
    expect(loudness(softphone.heard())).toBeLessThan(LOUD / 10);
    softphone.send({ type: "hold", on: false });
    await expect.poll(() => loudness(softphone.heard()), { timeout: 90_000 }).toBeGreaterThan(LOUD);
    await softphone.speak(words);
    await softphones.untilHeard(call.sessionId);
  });

  it("tells a device that takes over that it is on hold", async () => {
    const { call, softphone } = await softphones.talkTo(softphones.phone([STAY]));
    softphone.send({ type: "hold", on: true });
    await expect
      .poll(() => softphones.heardBy(call.sessionId).length, { timeout: 90_000 })
      .toBeGreaterThan(0);
    const second = await TestCaller.start(call.websocketUrl);
    expect(await second.next("hold")).toEqual({ type: "hold", on: true });
    expect(softphone.messages.some(({ type }) => type === "hold")).toBe(false);
    second.send({ type: "hangup" });
  });

  it("tells the softphone each two seconds how both voices arrive, and answers its pings", async () => {
    const beganMs = performance.now();
    const { softphone } = await softphones.talkTo(softphones.phone([STAY]));
    softphone.send({ type: "ping", id: 7 });
    expect(await softphone.next("pong")).toEqual({ type: "pong", id: 7 });
    const speaking = softphone.speak(await flite("One two three four five six seven eight nine ten."), 6_000);
    const { softphone: mine, phone } = await softphone.next("quality");
    for (const { jitterMs, bufferedMs, lateFrames, lostFrames } of [mine, phone]) {
      // How well they arrive is the machine's affair: of two seconds no more than a hundred frames can be missed.
      for (const measured of [jitterMs, bufferedMs, lateFrames, lostFrames])
        expect(measured).toBeGreaterThanOrEqual(0);
      expect(lateFrames + lostFrames).toBeLessThanOrEqual(100);
    }
    await softphone.next("quality");
    // Reports may be late, but the second one is never early.
    expect(performance.now() - beganMs).toBeGreaterThan(4_000);
    // One report is one instant, and on a busy machine the buffer may be empty just then.
    const depths = (): number[] =>
      softphone.messages.flatMap((message) =>
        message.type === "quality" ? [message.softphone.bufferedMs] : [],
      );
    await expect.poll(() => Math.max(...depths()), { timeout: 90_000 }).toBeGreaterThan(0);
    await speaking;
    softphone.send({ type: "hangup" });
  });
});

describe("a second softphone", () => {
  it("takes the call over by the resume token or a young ticket; the first is closed with 4003", async () => {
    const { call, softphone } = await softphones.talkTo(softphones.phone([STAY]));
    const ready = softphone.messages[0];
    const second = await TestCaller.start(call.websocketUrl);
    expect(await softphone.untilClosed()).toMatchObject({ code: 4003 });
    const resume = ready?.type === "ready" ? ready.resume : "";
    const old = await phones.gateway.url("call", call.sessionId, { ttlSecs: -60 });
    const third = await TestCaller.start(old, { resume });
    expect(await second.untilClosed()).toMatchObject({ code: 4003 });
    await third.speak(await flite("It is still me."));
    await softphones.untilHeard(call.sessionId);
    third.send({ type: "hangup" });
    await phones.untilStatus(call.sessionId, "completed");
    expect(
      (await softphones.eventsOf(call.sessionId)).filter((type) => type === "call.started"),
    ).toHaveLength(1);
  });

  it("with an old ticket and no token, or the wrong one, is refused", async () => {
    const { call, softphone } = await softphones.talkTo(softphones.phone([STAY]));
    const old = await phones.gateway.url("call", call.sessionId, { ttlSecs: -60 });
    for (const [url, resume] of [
      [old, undefined],
      [call.websocketUrl, "wrong"],
    ] as const) {
      const other = await TestCaller.connect(url);
      other.send({ type: "start", resume });
      expect(await other.next("error")).toMatchObject({ code: "resume_invalid", fatal: true });
    }
    softphone.send({ type: "ping", id: 1 });
    expect(await softphone.next("pong")).toEqual({ type: "pong", id: 1 });
  });

  it("that dropped and does not come back ends the call", async () => {
    const { call, softphone } = await softphones.talkTo(softphones.phone([STAY]));
    softphone.drop();
    await phones.untilStatus(call.sessionId, "completed");
  });

  it("cannot pass for the phone: the phone's socket needs a ticket of its own", async () => {
    const { call } = await softphones.talkTo(softphones.phone([STAY]));
    const leg = await TestCaller.connect(await phones.gateway.url("leg", call.sessionId));
    leg.send({ type: "start" });
    expect(await leg.next("error")).toMatchObject({ code: "resume_invalid" });
  });
});

describe("placing a manual call", () => {
  it("takes the member's own number with their token", async () => {
    const { api } = phones;
    const members = await TestMembers.create(api);
    const { orgId } = members;
    const own = "+12025550999";
    const to = softphones.phone([STAY], { ringMs: 5_000 });
    const ask = async () =>
      api.call("POST", INIT_MANUAL_CALL, { token: await members.token("owner"), orgId, body: { to } });
    expect((await ask()).body.error).toContain("assigned to you");
    const { userId } = await api.database.db
      .selectFrom("memberships")
      .select("user_id as userId")
      .where("org_id", "=", orgId)
      .where("role", "=", "owner")
      .executeTakeFirstOrThrow();
    const added = { key: members.keys.owner, body: { number: own, userId } };
    await api.call("POST", "/api/v1/numbers", added);
    expect(await ask()).toMatchObject({ status: 200, body: { data: { fromNumber: own } } });
  });

  it.each([
    ["no number to call from", { to: "+12025550150" }, 400, "from"],
    ["a number that is not E.164", { to: "12", from: OUR_NUMBER }, 400, "to"],
    ["a member of others", { to: "+12025550150", from: OUR_NUMBER, userId: "usr_x" }, 404, "member"],
  ])("with %s is refused", async (_what, body, status, named) => {
    const answer = await phones.request("POST", INIT_MANUAL_CALL, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toContain(named);
  });

  it("cannot come from another organization's number", async () => {
    const { keys } = await phones.api.createOrganization();
    const number = "+12025550199";
    const ask = (key: string) => {
      const body = { to: softphones.phone([STAY], { ringMs: 5_000 }), from: number };
      return phones.api.call("POST", INIT_MANUAL_CALL, { key, body });
    };
    const added = { key: keys.developer, body: { number } };
    expect((await phones.api.call("POST", "/api/v1/numbers", added)).status).toBe(201);
    const refused = await ask(phones.organization.keys.developer);
    expect(refused).toMatchObject({ status: 400, body: { code: "bad_request" } });
    expect(refused.body.error).toContain("from");
    expect(await ask(keys.developer)).toMatchObject({ status: 200, body: { data: { fromNumber: number } } });
  });

  it("is done once for one Idempotency-Key", async () => {
    const body = { to: softphones.phone([STAY], { ringMs: 5_000 }), from: OUR_NUMBER };
    const headers = { "idempotency-key": "manual-1" };
    const first = await phones.request("POST", INIT_MANUAL_CALL, body, headers);
    const again = await phones.request("POST", INIT_MANUAL_CALL, body, headers);
    const [one, other] = [first, again].map(({ body: { data } }) => {
      const { websocketUrl, ...call } = data as { websocketUrl: string };
      return { ...call, path: new URL(websocketUrl).pathname };
    });
    expect(other).toEqual(one);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });
});
