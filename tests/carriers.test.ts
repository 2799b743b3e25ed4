import { ACCOUNT_CARRIERS, type AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { TestCallee } from "../testkit/callee.ts";
import { TestCaller } from "../testkit/caller.ts";
import {
  COLLEAGUE,
  ENDED,
  GREETING,
  greeted,
  post,
  type Row,
  SOON_MS,
  TestCarriers,
} from "../testkit/carriers.ts";
import { toldAt } from "../testkit/fakes/carriers/fake-carrier.ts";
import type { FakePhone } from "../testkit/fakes/phones/phone.ts";
import { type FakeDeepgram, startFakeDeepgram } from "../testkit/fakes/speech/deepgram.ts";
import { createFliteVoice, createScriptedRecognizer } from "../testkit/fakes/speech/fake-speech.ts";
import { LOUD, loudness } from "../testkit/softphones.ts";
import { flite } from "../testkit/speech.ts";
import type { TestTelephony } from "../testkit/telephony.ts";

const SAID = "Tell me everything.";
const OVER_IT = "Excuse me, but what I would like to know is something else.";
const LONG =
  "It is a long story. There was a house by the sea where a woman and her dog lived for many years before anybody came by.";
const IS_ANYBODY = "Is anybody there?";
/** What each carrier's documentation calls upon to drop what was sent and is not played yet. */
const CLEARS: Readonly<Record<AccountCarrierName, object>> = {
  twilio: { event: "clear", streamSid: expect.stringMatching(/^MZ/) },
  telnyx: { event: "clear" },
  plivo: { event: "clearAudio", streamId: expect.stringMatching(/^MZ/) },
  vonage: { action: "clear" },
};

let vendor: FakeDeepgram;
let carriers: TestCarriers;
let telephony: TestTelephony;

beforeAll(async () => {
  vendor = await startFakeDeepgram({
    apiKey: "key",
    voice: createFliteVoice(),
    recognizer: createScriptedRecognizer([SAID]),
  });
  carriers = await TestCarriers.start({
    env: { DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: vendor.url },
    settings: { stt: [{ vendor: "deepgram" }] },
    brain: (turn) => {
      const { query } = turn.request;
      if (query === "DTMF: 0#") turn.control({ event: "call_end", farewell: "Bye." });
      else if (query === "DTMF: 9#") {
        turn.token("Bye.");
        turn.control({ event: "transfer", to: COLLEAGUE });
      } else if (query === "DTMF: 1#") turn.token("One.");
      else turn.token(turn.request.turn === 1 ? LONG : "All right.");
      turn.done();
    },
  });
  telephony = carriers.telephony;
  // Synthesis holds this thread up, and with it whoever is talking on it: it is done before anybody does.
  for (const sentence of [SAID, OVER_IT, IS_ANYBODY]) await flite(sentence);
});
afterAll(async () => {
  await carriers.close();
  await vendor.close();
});

function webhookOf({ connectionId }: Row): string {
  return `${telephony.api.api.baseUrl}/api/public/carriers/${connectionId}/inbound`;
}

/** What the phone is sent from now on: `audio`, and other messages as they are. */
function wireOf({ socket }: FakePhone): unknown[] {
  const wire: unknown[] = [];
  socket.on("message", (data: Buffer, isBinary) => {
    const message = isBinary ? { event: "media" } : JSON.parse(data.toString("utf8"));
    wire.push(message.event === "media" || message.event === "playAudio" ? "audio" : message);
  });
  return wire;
}

/** Hears the ring-back tone, and no agent. */
async function rings(phone: FakePhone): Promise<void> {
  const heard = () => Int16Array.from(phone.heard.flatMap((frame) => [...frame]));
  await vi.waitFor(() => expect(loudness(heard())).toBeGreaterThan(LOUD), SOON_MS);
  expect(phone.playedMarks).toEqual([]);
}

async function sessionOf(callSid: string): Promise<string> {
  const { session_id } = await telephony.api.database.db
    .selectFrom("calls")
    .select("session_id")
    .where("call_sid", "=", callSid)
    .executeTakeFirstOrThrow();
  return session_id;
}

describe.concurrent.each(ACCOUNT_CARRIERS)("by %s", (name) => {
  describe("a phone call", { concurrent: false, timeout: 240_000 }, () => {
    it("is greeted, heard, interrupted, keyed, handed over by its agent, and goes on without us", async () => {
      const row = carriers.row(name);
      const { sessionId, call, callSid, fromNumber, toNumber, phone } = await carriers.talking(row);
      expect(callSid).toBe(call.callSid);
      await phone.speak(await flite(SAID));
      await vi.waitFor(() => expect(phone.playedMarks).toHaveLength(2), SOON_MS);
      const wire = wireOf(phone);
      // The rest of the answer is being spoken.
      await vi.waitFor(() => expect(wire).toContain("audio"), SOON_MS);
      await phone.speak(await flite(OVER_IT));
      const clearedAt = wire.findIndex((message) => message !== "audio");
      expect(wire.slice(clearedAt)).toEqual([CLEARS[name]]);
      await carriers.said(sessionId, "All right.");
      expect(phone.clears).toBe(1);
      phone.press("1#");
      await carriers.said(sessionId, "One.");
      phone.press("9#");
      await row.company.handsOver(call, COLLEAGUE);
      const record = await telephony.untilStatus(sessionId, "completed");
      expect(record).toMatchObject({ endReason: "transferred", direction: "outbound", fromNumber, toNumber });
      const cut = record.transcript[2]?.text ?? "";
      expect(cut).toMatch(/^It is a long story\./);
      expect(LONG.startsWith(cut) && cut !== LONG).toBe(true);
      expect(record.transcript.map(({ text, interrupted }) => [text, interrupted])).toEqual([
        [GREETING, false],
        [SAID, false],
        [cut, true],
        [SAID, false],
        ["All right.", false],
        ["DTMF: 1#", false],
        ["One.", false],
        ["DTMF: 9#", false],
        ["Bye.", false],
      ]);
      expect(phone.faults).toEqual([]);
      expect(call.state).toBe("answered");
      expect(await post(await row.company.carrier.sign(call.callSid, ENDED))).toBe(200);
      const { status, endReason, endTime } = record;
      expect(await telephony.record(sessionId)).toMatchObject({ status, endReason, endTime });
    });

    it("that the agent ends is hung up at the carrier", async () => {
      const { sessionId, call, phone } = await carriers.talking(carriers.row(name));
      phone.press("0#");
      await vi.waitFor(() => expect(call.state).toBe("ended"), SOON_MS);
      expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({
        endReason: "agent_end_call",
      });
    });

    it.each([
      ["busy", "busy"],
      ["no-answer", "no_answer"],
      ["failed", "carrier_failed"],
    ] as const)("that ends %s never began", async (status, endReason) => {
      const { company, ...row } = carriers.row(name);
      const { sessionId, call } = await carriers.dial({ company, ...row });
      await company.carrier.tell(call.callSid, { type: "ringing" });
      await telephony.untilStatus(sessionId, "ringing");
      await company.carrier.tell(call.callSid, { type: "ended", status });
      const record = await telephony.untilStatus(sessionId, status);
      expect(record).toMatchObject({ endReason, startTime: null, transcript: [] });
    });

    it("that a machine answers is dropped when it was placed so", async () => {
      const row = carriers.row(name);
      const { sessionId, call } = await carriers.dial(row, { machineDetection: "hangup" });
      await row.company.pickUp(call);
      await row.company.carrier.tell(call.callSid, { type: "machine" });
      await vi.waitFor(() => expect(call.state).toBe("ended"), SOON_MS);
      expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "amd_hangup" });
    });

    it("to a number of ours is answered by the number's agent", async () => {
      const row = carriers.row(name);
      const from = "+12025550177";
      const call = await row.company.callIn({ from, to: row.number }, webhookOf(row));
      const phone = await row.company.phoneOf(call);
      await greeted(phone);
      const sessionId = await sessionOf(call.callSid);
      expect(await telephony.record(sessionId)).toMatchObject({
        status: "in-progress",
        direction: "inbound",
        fromNumber: from,
        toNumber: row.number,
      });
      phone.press("0#");
      await vi.waitFor(() => expect(call.state).toBe("ended"), SOON_MS);
      await telephony.untilStatus(sessionId, "completed");
    });

    it("to a member's number rings for its caller until the member answers, or declines", async () => {
      const row = carriers.row(name);
      const { orgId, keys } = telephony.organization;
      const ada = await TestCallee.create(telephony.api, { orgId, key: keys.developer, carrier: name });
      const numbers = { from: "+12025550176", to: ada.number };
      const declined = await row.company.callIn(numbers, webhookOf(row));
      await rings(await row.company.phoneOf(declined));
      const path = `/api/sessions/${await sessionOf(declined.callSid)}/decline`;
      expect((await ada.call("POST", path)).status).toBe(200);
      await vi.waitFor(() => expect(declined.state).toBe("ended"), SOON_MS);

      const call = await row.company.callIn(numbers, webhookOf(row));
      const phone = await row.company.phoneOf(call);
      await rings(phone);
      const sessionId = await sessionOf(call.callSid);
      const softphone = await TestCaller.start((await ada.answer(sessionId)).websocketUrl);
      await softphone.next("leg", ({ state }) => state === "live");
      await phone.speak(await flite(IS_ANYBODY));
      await vi.waitFor(() => expect(loudness(softphone.heard())).toBeGreaterThan(LOUD), SOON_MS);
      softphone.send({ type: "hangup" });
      await vi.waitFor(() => expect(call.state).toBe("ended"), SOON_MS);
      expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({
        channel: "softphone",
        direction: "inbound",
        fromNumber: numbers.from,
        toNumber: numbers.to,
      });
      expect(phone.faults).toEqual([]);
    });

    it("that a member hands over to nobody comes back to them, and their softphone is told why", async () => {
      const row = carriers.row(name);
      const { orgId, keys } = telephony.organization;
      const ada = await TestCallee.create(telephony.api, { orgId, key: keys.developer, carrier: name });
      const call = await row.company.callIn({ from: "+12025550176", to: ada.number }, webhookOf(row));
      await row.company.phoneOf(call);
      const sessionId = await sessionOf(call.callSid);
      const softphone = await TestCaller.start((await ada.answer(sessionId)).websocketUrl);
      await softphone.next("leg", ({ state }) => state === "live");
      await vi.waitFor(async () => {
        expect((await telephony.record(sessionId)).startTime).not.toBeNull();
      }, SOON_MS);
      const asked = await ada.call("POST", `/api/sessions/${sessionId}/transfer`, { to: COLLEAGUE });
      expect(asked.status).toBe(200);
      const back = await row.company.comesBack(call, COLLEAGUE, "no-answer");
      expect(await softphone.next("transfer")).toMatchObject({ state: "failed", why: "no-answer" });
      const legs = softphone.messages.filter(({ type }) => type === "leg");
      expect(legs.at(-1)).toMatchObject({ state: "live" });
      const heardBefore = softphone.heard().length;
      await back.speak(await flite(IS_ANYBODY));
      const heard = () => softphone.heard().slice(heardBefore);
      await vi.waitFor(() => expect(loudness(heard())).toBeGreaterThan(LOUD), SOON_MS);
      softphone.send({ type: "hangup" });
      await telephony.untilStatus(sessionId, "completed");
      expect(back.faults).toEqual([]);
    });

    it("whose caller gives up before the agent is there is over", async () => {
      const row = carriers.row(name);
      const numbers = { from: "+12025550178", to: row.number };
      const call = await row.company.callIn(numbers, webhookOf(row));
      const sessionId = await sessionOf(call.callSid);
      (await row.company.phoneOf(call)).drop();
      await row.company.carrier.tell(call.callSid, ENDED);
      await vi.waitFor(async () => {
        expect((await telephony.record(sessionId)).endTime).not.toBeNull();
      }, SOON_MS);
    });

    it("does not change by what is forged, told again, or told of another account's call", async () => {
      const { company, ...row } = carriers.row(name);
      const { sessionId, call } = await carriers.talking({ company, ...row });
      const ended = await company.carrier.sign(call.callSid, ENDED);
      expect(await post({ ...ended, body: `${ended.body} ` })).toBe(401);
      expect(await post({ ...ended, headers: { "content-type": "application/json" } })).toBe(401);
      const rings = await company.carrier.sign(call.callSid, { type: "ringing" });
      expect([await post(rings), await post(rings)]).toEqual([200, 401]);
      const other = ACCOUNT_CARRIERS.find((one) => one !== name) ?? name;
      const theirs = carriers.row(other);
      const callbackUrl = call.callbackUrl.replace(row.connectionId, theirs.connectionId);
      const dialed = toldAt((await carriers.dial(theirs)).call, callbackUrl);
      const foreign = { ...dialed, callSid: `not ${call.callSid}` };
      theirs.company.carrier.calls.set(foreign.callSid, foreign);
      expect(await post(await theirs.company.carrier.sign(foreign.callSid, ENDED))).toBe(404);
      expect((await telephony.record(sessionId)).status).toBe("in-progress");
      expect(await post(ended)).toBe(200);
      await telephony.untilStatus(sessionId, "completed");
    });
  });
});
