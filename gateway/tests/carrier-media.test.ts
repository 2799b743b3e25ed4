// Real time: phones speak at the rate of speech, are talked over, and press keys meanwhile.
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { DtmfDetector } from "@parley/media/dtmf/detector.ts";
import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { afterAll, beforeAll, describe, it } from "vitest";
import { WebSocket } from "ws";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { newPhoneIds } from "../../testkit/fakes/phones/by-carrier.ts";
import type { PhoneDialect, PhoneIds } from "../../testkit/fakes/phones/dialect.ts";
import { FakePhone, type PhoneOptions } from "../../testkit/fakes/phones/phone.ts";
import { createPlivoDialect } from "../../testkit/fakes/phones/plivo.ts";
import { createTelnyxDialect } from "../../testkit/fakes/phones/telnyx.ts";
import { createTwilioDialect } from "../../testkit/fakes/phones/twilio.ts";
import { createVonageDialect } from "../../testkit/fakes/phones/vonage.ts";
import { type FakeDeepgram, startFakeDeepgram } from "../../testkit/fakes/speech/deepgram.ts";
import { createFliteVoice, createScriptedRecognizer } from "../../testkit/fakes/speech/fake-speech.ts";
import { TestGateway } from "../../testkit/gateway.ts";
import type { PlanInput } from "../../testkit/session-plan.ts";
import { flite } from "../../testkit/speech.ts";

interface Row {
  readonly over: string;
  readonly carrier: string;
  readonly dialect: (ids: PhoneIds) => PhoneDialect;
  readonly audio: string;
  readonly options?: PhoneOptions;
}

const ROWS: readonly Row[] = [
  {
    over: "Twilio, with half a second of buffers on the way",
    carrier: "twilio",
    dialect: createTwilioDialect,
    audio: "mulaw/8000",
    options: { delayMs: 500 },
  },
  {
    over: "Telnyx, with frames out of order and doubled",
    carrier: "telnyx",
    dialect: (ids) => createTelnyxDialect(ids),
    audio: "mulaw/8000",
    options: { isDisorderly: true },
  },
  {
    over: "Telnyx in wideband",
    carrier: "telnyx",
    dialect: (ids) => createTelnyxDialect(ids, "L16"),
    audio: "pcm_s16le/16000",
  },
  { over: "Plivo", carrier: "plivo", dialect: createPlivoDialect, audio: "mulaw/8000" },
  { over: "Vonage", carrier: "vonage", dialect: createVonageDialect, audio: "pcm_s16le/16000" },
];

const REST = "We are open from nine to five on weekdays. On Saturdays we close at noon.";
const LONG = `First of all let me tell you about our opening hours. ${REST}`;

let gateway: TestGateway;
let vendor: FakeDeepgram;
let brain: TestBrain;
const phones: FakePhone[] = [];

beforeAll(async () => {
  vendor = await startFakeDeepgram({
    apiKey: "key",
    voice: createFliteVoice(),
    recognizer: createScriptedRecognizer(["Tell me everything."]),
  });
  gateway = await TestGateway.start({
    env: { DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: vendor.url, RESUME_WINDOW_MS: "1500" },
  });
  brain = await TestBrain.start((turn) => {
    const { query } = turn.request;
    if (query === "DTMF: 0#") turn.control({ event: "call_end", farewell: "Goodbye." });
    else if (query === "DTMF: 1#") turn.control({ event: "dtmf", digits: "42" });
    else turn.token(turn.request.turn === 1 ? LONG : "All right.");
    turn.done();
  });
});
afterAll(async () => {
  for (const phone of phones) phone.drop();
  brain.close();
  await gateway.close();
  await vendor.close();
});

async function ring({ carrier, dialect, options }: Row, plan: PlanInput = {}) {
  const { sessionId } = await gateway.createSession({ brainUrl: brain.url, ...plan });
  const ids = newPhoneIds();
  const url = await gateway.mediaUrl(carrier, sessionId);
  const connect = async (as: PhoneIds = ids): Promise<FakePhone> => {
    const phone = await FakePhone.connect(url, dialect(as), options);
    phones.push(phone);
    return phone;
  };
  return { phone: await connect(), connect, sessionId, callSid: ids.callSid };
}

function spoken(events: readonly CallEvent[]): (string | boolean)[][] {
  return events.flatMap((event) =>
    event.type === "call.message" ? [[event.role, event.text, event.interrupted]] : [],
  );
}

function keysIn(heard: readonly Int16Array[]): string {
  const detector = new DtmfDetector();
  return heard.map((frame) => detector.push(frame) ?? "").join("");
}

describe("a phone call", () => {
  it.concurrent.for(ROWS)(
    "over $over is greeted, heard, answered, interrupts, presses keys and is said goodbye to",
    { timeout: 240_000 },
    async (row, { expect }) => {
      const { phone, sessionId, callSid } = await ring(row, {
        firstResponse: "Hello.",
        stt: [{ vendor: "deepgram" }],
      });
      await expect.poll(() => phone.playedMarks.length).toBe(1);
      await phone.speak(await flite("Tell me everything"));
      await expect.poll(() => phone.playedMarks.length, { timeout: 90_000 }).toBe(2);
      const heardFrames = phone.heard.length;
      await phone.speak(await flite("Tell me everything"));
      await expect.poll(() => phone.clears).toBe(1);
      const untilCut = phone.heard.length - heardFrames;
      expect(untilCut).toBeLessThan((await flite(REST)).length / FRAME_SAMPLES / 2);
      await expect.poll(() => phone.playedMarks.length, { timeout: 90_000 }).toBe(3);
      phone.press("1#");
      await expect.poll(() => keysIn(phone.heard)).toBe("42");
      phone.press("0#");
      expect(await phone.untilClosed()).toEqual({ code: 1000 });
      expect(phone.faults).toEqual([]);
      const events = await gateway.eventsOf(sessionId);
      expect(events[0]).toMatchObject({ type: "call.started", callSid, audio: row.audio });
      expect(events.at(-1)).toMatchObject({ type: "call.ended", reason: "agent_end_call" });
      const cut = spoken(events)[2]?.[1] as string;
      // The first sentence was played, as its mark says; the rest not to its end. How far, `untilCut` bounds.
      expect(cut).toMatch(/^First of all let me tell you about our opening hours\./);
      expect(LONG.startsWith(cut)).toBe(true);
      expect(cut).not.toContain("noon");
      expect(spoken(events)).toEqual([
        ["assistant", "Hello.", false],
        ["user", "Tell me everything.", false],
        ["assistant", cut, true],
        ["user", "Tell me everything.", false],
        ["assistant", "All right.", false],
        ["user", "DTMF: 1#", false],
        ["user", "DTMF: 0#", false],
        ["assistant", "Goodbye.", false],
      ]);
    },
  );

  it.concurrent.for(ROWS)("over $over ends with its caller's hang-up", async (row, { expect }) => {
    const { phone, sessionId } = await ring(row);
    phone.hangUp();
    const events = await gateway.eventsOf(sessionId);
    expect(events.map(({ type }) => type)).toEqual(["call.started", "call.ended"]);
    expect(events.at(-1)).toMatchObject({ reason: "hangup" });
  });

  it.concurrent.for(ROWS)(
    "over $over goes on when its connection breaks and comes again, and ends when it does not",
    { timeout: 90_000 },
    async (row, { expect }) => {
      const { phone, connect, sessionId } = await ring(row, {
        firstResponse: "Hello, this is the agent, and I am listening.",
      });
      await expect.poll(() => phone.heard.length).toBeGreaterThan(5);
      phone.drop();
      const again = await connect();
      await expect.poll(() => again.playedMarks.length).toBe(1);
      again.drop();
      const events = await gateway.eventsOf(sessionId);
      expect(events.filter(({ type }) => type === "call.started")).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ reason: "hangup" });
    },
  );

  it.concurrent.for(ROWS)(
    "over $over is not taken over by somebody who learned its address",
    { timeout: 90_000 },
    async (row, { expect }) => {
      const { phone, connect } = await ring(row, {
        firstResponse: "Hello, this is the agent, and I am listening.",
      });
      await expect.poll(() => phone.heard.length).toBeGreaterThan(5);
      const thief = await connect(newPhoneIds());
      expect(await thief.untilClosed()).toEqual({ code: 4000 });
      expect(phone.closed).toBeUndefined();
    },
  );
});

describe("a media socket", () => {
  it.for([
    [
      "of a carrier nobody knows",
      404,
      "not_found",
      (sessionId: string) => gateway.mediaUrl("carrierpigeon", sessionId),
    ],
    [
      "with another session's ticket",
      401,
      "ticket_invalid",
      (sessionId: string) => gateway.mediaUrl("twilio", sessionId, { forSession: "ses_x" }),
    ],
    [
      "with a ticket that is too old",
      401,
      "ticket_expired",
      (sessionId: string) => gateway.mediaUrl("twilio", sessionId, { ttlSecs: -1 }),
    ],
    ["of a call that never was", 404, "session_ended", () => gateway.mediaUrl("twilio", "ses_x")],
  ] as const)("%s is refused with %i %s", async ([, status, code, urlOf], { expect }) => {
    const { sessionId } = await gateway.createSession();
    expect(await refusal(await urlOf(sessionId))).toEqual({ status, code });
  });

  it("is refused with 503 by a node that restarts", async ({ expect }) => {
    const draining = await TestGateway.start();
    const { websocketUrl } = await draining.createSession();
    const caller = await TestCaller.start(websocketUrl);
    const drained = draining.gateway.drain();
    const another = await draining.createSession();
    const url = await draining.mediaUrl("plivo", another.sessionId);
    expect(await refusal(url)).toEqual({ status: 503, code: "draining" });
    caller.send({ type: "hangup" });
    await drained;
    await draining.close();
  });
});

/** Status and code a websocket client is refused with. */
async function refusal(url: string): Promise<{ status: number | undefined; code: unknown }> {
  const socket = new WebSocket(url);
  socket.on("error", () => undefined);
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const { code } = JSON.parse(Buffer.concat(chunks).toString()) as { code: unknown };
  return { status: response.statusCode, code };
}
