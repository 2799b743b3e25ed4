import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DtmfDetector } from "@parley/media/dtmf/detector.ts";
import { generateDtmf } from "@parley/media/dtmf/generator.ts";
import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import { readWav } from "@parley/media/wav/wav-reader.ts";
import type { ManualCallPlaced } from "@parley/shared/contracts/telephony.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestCaller } from "../../tests/support/caller.ts";
import { TestMembers } from "../../tests/support/members.ts";
import { flite } from "../../tests/support/speech.ts";
import { OUR_NUMBER, TestTelephony } from "../../tests/support/telephony.ts";
import type { PhoneScript, PhoneStep } from "../carriers/loopback/script.ts";

const STAY: PhoneStep = { do: "wait", ms: 60_000 };
const INIT = "/api/sessions/init-manual-call";
/** Speech of flite's is well above, silence and the codec's noise well below. */
const LOUD = 500;

let phones: TestTelephony;
beforeAll(async () => {
  phones = await TestTelephony.start({ env: { RESUME_WINDOW_MS: "1500" } });
});
afterAll(() => phones.close());

let lastNumber = 300;
function phone(steps: readonly PhoneStep[], more: Partial<PhoneScript> = {}): string {
  lastNumber += 1;
  return phones.phone(`+12025550${lastNumber}`, { ringMs: 150, outcome: "answers", steps, ...more });
}

async function place(to: string): Promise<ManualCallPlaced> {
  const answer = await phones.request("POST", INIT, { to, from: OUR_NUMBER });
  expect(answer.text).toContain('"success":true');
  return answer.body.data as unknown as ManualCallPlaced;
}

/** A call whose phone was answered, with a softphone. */
async function talkTo(to: string): Promise<{ call: ManualCallPlaced; softphone: TestCaller }> {
  const call = await place(to);
  const softphone = await TestCaller.start(call.websocketUrl);
  onTestFinished(() => softphone.drop());
  await softphone.next("leg", ({ state }) => state === "live");
  return { call, softphone };
}

function loudness(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / Math.max(1, samples.length));
}

function joined(frames: readonly Int16Array[]): Int16Array {
  return Int16Array.from(frames.flatMap((frame) => [...frame]));
}

const heardBy = (sessionId: string): Int16Array => joined(phones.heard.get(sessionId) ?? []);

function keysIn(samples: Int16Array): string {
  const detector = new DtmfDetector();
  let keys = "";
  for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES)
    keys += detector.push(samples.subarray(at, at + FRAME_SAMPLES)) ?? "";
  return keys;
}

async function eventsOf(sessionId: string): Promise<string[]> {
  const rows = await phones.api.database.db
    .selectFrom("call_events")
    .select("type")
    .where("session_id", "=", sessionId)
    .orderBy("seq")
    .execute();
  return rows.map(({ type }) => type);
}

/** What the phone said, and what its owner heard. */
async function recordingOf(sessionId: string): Promise<{ left: Int16Array; right: Int16Array }> {
  const { key } = await phones.api.database.db
    .selectFrom("recordings")
    .select("key")
    .where("session_id", "=", sessionId)
    .executeTakeFirstOrThrow();
  const { samples } = readWav(await readFile(join(phones.gateway.dataDir, "recordings", key)));
  return { left: samples.filter((_, at) => at % 2 === 0), right: samples.filter((_, at) => at % 2 === 1) };
}

describe("a manual call", () => {
  it("carries both voices, is recorded, and is told of as a softphone's call", async () => {
    const to = phone([{ do: "say", text: "Good morning, this is the bakery. What can I do for you?" }, STAY]);
    const { call, softphone } = await talkTo(to);
    const { sessionId } = call;
    expect(call).toMatchObject({ callMode: "manual", fromNumber: OUR_NUMBER, toNumber: to });
    expect(call.callSid).toMatch(/^LB/);
    expect(softphone.messages[0]).toMatchObject({ type: "ready", mode: "manual", recognition: "server" });
    await expect.poll(() => loudness(softphone.heard()), { timeout: 5_000 }).toBeGreaterThan(LOUD);
    const question = await flite("I would like two loaves of bread please.");
    await softphone.speak(question);
    const heard = heardBy(sessionId);
    expect(loudness(heard)).toBeGreaterThan(LOUD);
    expect(heard.length).toBeGreaterThan(question.length * 0.9);
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
    const { left, right } = await recordingOf(sessionId);
    expect(loudness(left)).toBeGreaterThan(LOUD);
    expect(loudness(right)).toBeGreaterThan(LOUD);
    expect(await eventsOf(sessionId)).toEqual(["call.started", "recording.ready", "call.ended"]);
  }, 30_000);

  it("that the phone hangs up ends the softphone's", async () => {
    const { call, softphone } = await talkTo(phone([{ do: "wait", ms: 300 }, { do: "hangUp" }]));
    expect(await softphone.next("ended")).toMatchObject({ reason: "hangup" });
    expect(await softphone.untilClosed()).toMatchObject({ code: 1000 });
    await phones.untilStatus(call.sessionId, "completed");
    expect(await eventsOf(call.sessionId)).toContain("call.started");
  });

  it("to a phone that is busy never began, and the softphone is told", async () => {
    const { sessionId, websocketUrl } = await place(phone([], { outcome: "busy", ringMs: 400 }));
    const softphone = await TestCaller.start(websocketUrl);
    await softphone.next("leg", ({ state }) => state === "connecting");
    expect(await softphone.next("ended")).toMatchObject({ reason: "busy" });
    expect(await phones.untilStatus(sessionId, "busy")).toMatchObject({ startTime: null, recording: null });
    expect(await eventsOf(sessionId)).toEqual(["call.ended"]);
  });

  it("to a number that is not in service is refused, and recorded as failed", async () => {
    const to = phone([], { outcome: "refuses" });
    const answer = await phones.request("POST", INIT, { to, from: OUR_NUMBER });
    expect(answer).toMatchObject({ status: 400, body: { code: "bad_request" } });
    const { db } = phones.api.database;
    const failed = () => db.selectFrom("calls").select("status").where("to_number", "=", to).execute();
    await expect.poll(failed).toEqual([{ status: "failed" }]);
  });

  it("begins once also when both ends come at the same moment", async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const call = await place(phone([STAY], { ringMs: 0 }));
        const softphone = await TestCaller.start(call.websocketUrl);
        await softphone.next("leg", ({ state }) => state === "live");
        softphone.send({ type: "hangup" });
        return call.sessionId;
      }),
    );
    for (const sessionId of all) {
      await phones.untilStatus(sessionId, "completed");
      expect((await eventsOf(sessionId)).filter((type) => type === "call.started")).toHaveLength(1);
    }
  });

  it("that the softphone gives up while it rings is canceled, and the phone stops ringing", async () => {
    const { sessionId, websocketUrl } = await place(phone([STAY], { ringMs: 20_000 }));
    const softphone = await TestCaller.start(websocketUrl);
    softphone.send({ type: "hangup" });
    await softphone.untilClosed();
    expect(await phones.untilStatus(sessionId, "canceled")).toMatchObject({ startTime: null });
  });

  it("without a softphone is silent, goes on, and takes one later", async () => {
    const call = await place(phone([STAY]));
    await phones.untilStatus(call.sessionId, "in-progress");
    expect(heardBy(call.sessionId).length).toBe(0);
    const softphone = await TestCaller.start(call.websocketUrl);
    await softphone.next("leg", ({ state }) => state === "live");
    await softphone.speak(await flite("Hello?"));
    expect(loudness(heardBy(call.sessionId))).toBeGreaterThan(LOUD);
    expect((await phones.request("DELETE", `/api/sessions/${call.sessionId}`)).status).toBe(200);
    expect(await softphone.next("ended")).toMatchObject({ reason: "api_request" });
  });

  it("has its keys pressed on either side", async () => {
    const { call, softphone } = await talkTo(phone([{ do: "press", keys: "42#" }, STAY]));
    for (const digits of ["4", "2", "#"]) expect(await softphone.next("dtmf")).toMatchObject({ digits });
    for (const digit of ["1", "9", "*"]) softphone.send({ type: "dtmf", digit });
    await expect.poll(() => keysIn(heardBy(call.sessionId)), { timeout: 5_000 }).toBe("19*");
    await expect
      .poll(() => eventsOf(call.sessionId))
      .toEqual(["call.started", "call.dtmf", "call.dtmf", "call.dtmf"]);
    await softphone.speak(generateDtmf("7"));
    expect(keysIn(heardBy(call.sessionId))).toBe("19*7");
  });

  it("on hold is silent both ways, and goes on afterwards", async () => {
    const say: PhoneStep = { do: "say", text: "One two three four five six seven eight nine ten." };
    const { call, softphone } = await talkTo(phone([{ do: "wait", ms: 1_500 }, say, STAY]));
    softphone.send({ type: "hold", on: true });
    const words = await flite("Nobody should hear this sentence at all.");
    await softphone.speak(words);
    expect(heardBy(call.sessionId).length).toBe(0);
    softphone.send({ type: "hold", on: false });
    await expect.poll(() => loudness(softphone.heard()), { timeout: 8_000 }).toBeGreaterThan(LOUD);
    await softphone.speak(words);
    expect(loudness(heardBy(call.sessionId))).toBeGreaterThan(LOUD);
  }, 20_000);
});

describe("a second softphone", () => {
  it("takes the call over by the resume token or a young ticket; the first is closed with 4003", async () => {
    const { call, softphone } = await talkTo(phone([STAY]));
    const ready = softphone.messages[0];
    const second = await TestCaller.start(call.websocketUrl);
    expect(await softphone.untilClosed()).toMatchObject({ code: 4003 });
    const resume = ready?.type === "ready" ? ready.resume : "";
    const old = await phones.gateway.url("call", call.sessionId, { ttlSecs: -60 });
    const third = await TestCaller.start(old, { resume });
    expect(await second.untilClosed()).toMatchObject({ code: 4003 });
    await third.speak(await flite("It is still me."));
    expect(loudness(heardBy(call.sessionId))).toBeGreaterThan(LOUD);
    third.send({ type: "hangup" });
    await phones.untilStatus(call.sessionId, "completed");
    expect((await eventsOf(call.sessionId)).filter((type) => type === "call.started")).toHaveLength(1);
  });

  it("with an old ticket and no token, or the wrong one, is refused", async () => {
    const { call, softphone } = await talkTo(phone([STAY]));
    const old = await phones.gateway.url("call", call.sessionId, { ttlSecs: -60 });
    for (const [url, resume] of [
      [old, undefined],
      [call.websocketUrl, "wrong"],
    ] as const) {
      const other = await TestCaller.connect(url);
      other.send({ type: "start", resume });
      expect(await other.next("error")).toMatchObject({ code: "resume_invalid", fatal: true });
    }
    expect(softphone.closed).toBeUndefined();
  });

  it("that dropped and does not come back ends the call", async () => {
    const { call, softphone } = await talkTo(phone([STAY]));
    softphone.drop();
    await phones.untilStatus(call.sessionId, "completed");
  });

  it("cannot pass for the phone: the phone's socket needs a ticket of its own", async () => {
    const { call } = await talkTo(phone([STAY]));
    const leg = await TestCaller.connect(await phones.gateway.url("leg", call.sessionId));
    leg.send({ type: "start" });
    expect(await leg.next("error")).toMatchObject({ code: "resume_invalid" });
  });
});

describe("placing a manual call", () => {
  it("takes the member's own number with his token", async () => {
    const { api } = phones;
    const members = await TestMembers.create(api);
    const { orgId } = members;
    const own = "+12025550999";
    const to = phone([STAY], { ringMs: 5_000 });
    const ask = async () =>
      api.call("POST", INIT, { token: await members.token("owner"), orgId, body: { to } });
    expect((await ask()).body.error).toContain("allocated to you");
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
    ["somebody else's number", { to: "+12025550150", from: "+12025550199" }, 400, "from"],
    ["a number that is not E.164", { to: "12", from: OUR_NUMBER }, 400, "to"],
    ["a member of others", { to: "+12025550150", from: OUR_NUMBER, userId: "usr_x" }, 404, "member"],
  ])("with %s is refused", async (_what, body, status, named) => {
    const answer = await phones.request("POST", INIT, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toContain(named);
  });

  it("is done once for one Idempotency-Key", async () => {
    const body = { to: phone([STAY], { ringMs: 5_000 }), from: OUR_NUMBER };
    const headers = { "idempotency-key": "manual-1" };
    const first = await phones.request("POST", INIT, body, headers);
    const again = await phones.request("POST", INIT, body, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });
});

describe("playing audio", () => {
  const files = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    response.writeHead(file ? 200 : 404).end(file);
  });
  let base = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const wav = (samples: Int16Array) => Buffer.from(encodeWav(samples, 16_000));
    const long = new Int16Array(16_000 * 20);
    for (let at = 0; at < long.length; at++) long[at] = 8_000 * Math.sin((2 * Math.PI * 300 * at) / 16_000);
    files.set("/long.wav", wav(long));
    files.set("/keys.wav", wav(generateDtmf("5")));
    files.set("/page.html", Buffer.from("<html>"));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const play = (sessionId: string, body: unknown) =>
    phones.request("POST", `/api/sessions/${sessionId}/play`, body);

  it("is heard on the phone with no softphone there; a new file takes the place of the one before", async () => {
    const { sessionId } = await place(phone([STAY]));
    await phones.untilStatus(sessionId, "in-progress");
    const answer = await play(sessionId, { url: `${base}/long.wav` });
    expect(answer.body).toEqual({ success: true, data: { sessionId, durationMs: 20_000 } });
    await expect.poll(() => loudness(heardBy(sessionId)), { timeout: 5_000 }).toBeGreaterThan(LOUD);
    await play(sessionId, { url: `${base}/keys.wav` });
    await expect.poll(() => keysIn(heardBy(sessionId)), { timeout: 5_000 }).toBe("5");
    const frames = () => phones.heard.get(sessionId)?.length ?? 0;
    expect(frames()).toBeLessThan(500);
  });

  it.each([
    ["nothing", {}, 400, "exactly one"],
    ["both", { url: "https://a.example/a.wav", trackId: "trk_1" }, 400, "exactly one"],
    ["a track", { trackId: "trk_1" }, 404, "track"],
    ["what is no address", { url: "file:///etc/passwd" }, 400, "url"],
    ["a private address", { url: "http://10.0.0.1/a.wav" }, 400, "private"],
  ])("with %s is refused", async (_what, body, status, named) => {
    const { call } = await talkTo(phone([STAY]));
    const answer = await play(call.sessionId, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toContain(named);
  });

  it("that is missing or no WAV file is refused with what is wrong with it", async () => {
    const { call } = await talkTo(phone([STAY]));
    expect((await play(call.sessionId, { url: `${base}/none.wav` })).body.error).toContain("404");
    expect((await play(call.sessionId, { url: `${base}/page.html` })).body.error).toContain("not a WAV");
  });

  it("is for live manual calls", async () => {
    const url = `${base}/keys.wav`;
    const agentCall = await phones.dial(phone([STAY]));
    await phones.untilStatus(agentCall.sessionId, "in-progress");
    expect(await play(agentCall.sessionId, { url })).toMatchObject({ status: 400 });
    expect(await play("ses_none", { url })).toMatchObject({ status: 404 });
    const { call, softphone } = await talkTo(phone([STAY]));
    softphone.send({ type: "hangup" });
    await phones.untilStatus(call.sessionId, "completed");
    expect(await play(call.sessionId, { url })).toMatchObject({ status: 404 });
  });
});
