// In real time: a room is heard between two answers, for as long as they are apart.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { levelOf } from "@parley/media/level/level-of.ts";
import { FRAME_SAMPLES, msToSamples } from "@parley/media/pcm.ts";
import { readWav } from "@parley/media/wav/wav-reader.ts";
import { request } from "@parley/shared/bus/request-reply.ts";
import { systemClock } from "@parley/shared/clock.ts";
import {
  type CallCommand,
  COMMAND_DEADLINE_MS,
  commandChannel,
} from "@parley/shared/contracts/call-commands.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { newPhoneIds } from "../../testkit/fakes/phones/by-carrier.ts";
import { FakePhone } from "../../testkit/fakes/phones/phone.ts";
import { createTwilioDialect } from "../../testkit/fakes/phones/twilio.ts";
import { type FakeDeepgram, startFakeDeepgram } from "../../testkit/fakes/speech/deepgram.ts";
import { createFliteVoice, createScriptedRecognizer } from "../../testkit/fakes/speech/fake-speech.ts";
import { TestGateway } from "../../testkit/gateway.ts";
import { flite } from "../../testkit/speech.ts";

let gateway: TestGateway;
let vendor: FakeDeepgram;
let brain: TestBrain;

beforeAll(async () => {
  vendor = await startFakeDeepgram({
    apiKey: "key",
    voice: createFliteVoice(),
    recognizer: createScriptedRecognizer(["Tell me everything."]),
  });
  gateway = await TestGateway.start({ env: { DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: vendor.url } });
  brain = await TestBrain.saying("With pleasure, there is a lot to tell.");
});
afterAll(async () => {
  brain.close();
  await gateway.close();
  await vendor.close();
});

/** Frames of the longest stretch without a voice, with half a second left off at both ends. */
function longestPause(heard: Int16Array): Int16Array {
  const count = Math.floor(heard.length / FRAME_SAMPLES);
  let best = { from: 0, to: 0 };
  let from = 0;
  for (let i = 0; i <= count; i++) {
    const isVoice = i === count || levelOf(heard.subarray(i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES)) > -37;
    if (!isVoice) continue;
    if (i - from > best.to - best.from) best = { from, to: i };
    from = i + 1;
  }
  const edge = msToSamples(500);
  return heard.subarray(best.from * FRAME_SAMPLES + edge, best.to * FRAME_SAMPLES - edge);
}

/** How long the caller's app got audio for. */
const audioMs = (caller: TestCaller): number => caller.heard().length / 16;

describe("a call with a background", () => {
  it("has it between the agent's sentences, recorded as it was heard, and none of it in what was said", async () => {
    const { websocketUrl, sessionId } = await gateway.createSession({
      brainUrl: brain.url,
      firstResponse: "Hello, this is the agent.",
      recording: true,
      sound: { background: "cafe" },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    expect(await caller.said("assistant")).toMatchObject({ text: "Hello, this is the agent." });
    const greetedMs = audioMs(caller);
    await expect.poll(() => audioMs(caller)).toBeGreaterThan(greetedMs + 3_000);
    caller.send({ type: "text", text: "Tell me" });
    expect(await caller.said("assistant")).toMatchObject({ text: "With pleasure, there is a lot to tell." });
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    const pause = longestPause(caller.heard());
    expect(pause.length).toBeGreaterThan(msToSamples(1_500));
    expect(Math.abs(levelOf(pause) + 46)).toBeLessThan(4);
    expect(Math.abs(levelOf(longestPause(await recordedAgent(sessionId))) + 46)).toBeLessThan(4);
  });

  it("is not heard by the agent when it comes back 20 dB softer, and the caller is", async () => {
    const { websocketUrl, sessionId } = await gateway.createSession({
      brainUrl: brain.url,
      stt: [{ vendor: "deepgram" }],
      sound: { background: "call-center", backgroundVolumeDb: 6 },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    await expect.poll(() => audioMs(caller)).toBeGreaterThan(4_000);
    const echo = caller.heard().map((sample) => Math.round(sample / 10));
    expect(levelOf(echo.subarray(msToSamples(1_000)))).toBeLessThan(-58);
    await caller.speak(echo, 0);
    const listening = caller.messages.filter(({ type }) => type === "state");
    expect(listening.map((message) => message.type === "state" && message.state)).toEqual(["listening"]);
    const over = (speech: Int16Array): Int16Array =>
      speech.map((sample, i) => sample + (echo[i % echo.length] ?? 0));
    await caller.speak(over(await flite("Tell me everything")), 1_500);
    expect(await caller.said("user")).toMatchObject({ text: "Tell me everything.", turn: 1 });
    caller.send({ type: "hangup" });
    const said = (await gateway.eventsOf(sessionId)).filter(({ type }) => type === "call.message");
    expect(said[0]).toMatchObject({ role: "user", text: "Tell me everything." });
  });

  it("on a phone is what a carrier's codec leaves of it, and nothing the carrier refuses", async () => {
    const { sessionId } = await gateway.createSession({
      brainUrl: brain.url,
      firstResponse: "Hello.",
      sound: { background: "office" },
    });
    const dialect = createTwilioDialect(newPhoneIds());
    const phone = await FakePhone.connect(await gateway.mediaUrl("twilio", sessionId), dialect);
    await expect.poll(() => phone.heard.length, { timeout: 90_000 }).toBeGreaterThan(200);
    phone.hangUp();
    await gateway.eventsOf(sessionId);
    const heard = Int16Array.from(phone.heard.flatMap((frame) => [...frame]));
    expect(Math.abs(levelOf(longestPause(heard)) + 46)).toBeLessThan(4);
    expect(phone.faults).toEqual([]);
    expect(phone.playedMarks).toHaveLength(1);
  });

  it("gives way to a phone that rings for the caller, and comes back with the agent", async () => {
    const { websocketUrl, sessionId } = await gateway.createSession({
      brainUrl: brain.url,
      sound: { background: "cafe" },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    await expect.poll(() => audioMs(caller)).toBeGreaterThan(1_000);
    await order(sessionId, { command: "transferring", ms: 20_000, mediaStops: false, rings: true });
    const rangMs = audioMs(caller);
    await expect.poll(() => audioMs(caller), { timeout: 90_000 }).toBeGreaterThan(rangMs + 4_500);
    const ring = caller.heard().subarray(msToSamples(rangMs + 3_000), msToSamples(rangMs + 4_000));
    expect(Math.max(...ring.map(Math.abs))).toBe(0);
    await order(sessionId, { command: "transfer_failed", why: "no-answer", tell: false });
    const backMs = audioMs(caller);
    await expect.poll(() => audioMs(caller)).toBeGreaterThan(backMs + 1_500);
    expect(levelOf(caller.heard().subarray(-msToSamples(500)))).toBeGreaterThan(-52);
    caller.drop();
  });
});

it("a call without one sends nothing while nobody speaks", async () => {
  const { websocketUrl } = await gateway.createSession({ brainUrl: brain.url });
  const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
  await caller.speak(new Int16Array(0), 1_000);
  expect(caller.audio).toEqual([]);
  caller.drop();
});

async function order(sessionId: string, command: CallCommand): Promise<void> {
  const payload = JSON.stringify(command);
  const asked = { payload, deadlineMs: COMMAND_DEADLINE_MS, clock: systemClock };
  expect(await request(gateway.bus.channels, commandChannel(sessionId), asked)).toBe('{"ok":true}');
}

/** The agent's channel of a call that is over. */
async function recordedAgent(sessionId: string): Promise<Int16Array> {
  await gateway.eventsOf(sessionId);
  const [path] = globSync(`recordings/*/${sessionId}/*.wav`, { cwd: gateway.dataDir });
  const { samples, channels } = readWav(readFileSync(join(gateway.dataDir, path ?? "")));
  return samples.filter((_, at) => at % channels === 1);
}
