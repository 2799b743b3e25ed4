// In real time: a background is sent as it is heard, whatever happens to the call meanwhile.
import { levelOf } from "@parley/media/level/level-of.ts";
import { msToSamples } from "@parley/media/pcm.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { TestGateway } from "../../testkit/gateway.ts";

const LONG =
  "There is a lot to tell about this house, which was built by a captain, who had sailed around the world twice before he was thirty.";
const LATEST_MS = 90_000;

let gateway: TestGateway;
let brain: TestBrain;

beforeAll(async () => {
  gateway = await TestGateway.start();
  brain = await TestBrain.saying(LONG);
});
afterAll(async () => {
  brain.close();
  await gateway.close();
});

const audioMs = (caller: TestCaller): number => caller.heard().length / 16;
/** Waits until so much more audio has come. */
const moreAudio = (caller: TestCaller, ms: number): Promise<void> => {
  const untilMs = audioMs(caller) + ms;
  return expect.poll(() => audioMs(caller), { timeout: LATEST_MS }).toBeGreaterThan(untilMs);
};
const lastLevel = (caller: TestCaller, ms: number): number =>
  levelOf(caller.heard().subarray(-msToSamples(ms)));

it("goes on after an answer that the caller cut, at its own level, and not behind what they cut", async () => {
  const { websocketUrl } = await gateway.createSession({
    brainUrl: brain.url,
    sound: { background: "cafe" },
  });
  const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
  caller.send({ type: "text", text: "Tell me" });
  await caller.next("metrics");
  await moreAudio(caller, 1_000);
  caller.send({ type: "text", text: "Stop" });
  await caller.next("clear");
  const cut = await caller.said("assistant");
  expect(cut.turn).toBe(1);
  expect(LONG.startsWith(cut.text) && cut.text !== LONG).toBe(true);
  expect(await caller.said("assistant")).toMatchObject({ turn: 2, text: LONG });
  await moreAudio(caller, 1_500);
  expect(Math.abs(lastLevel(caller, 500) + 46)).toBeLessThan(5);
  caller.drop();
});

it("goes on after its socket broke and came back, without what was missed meanwhile", async () => {
  const { websocketUrl } = await gateway.createSession({
    brainUrl: brain.url,
    sound: { background: "office" },
  });
  const before = await TestCaller.start(websocketUrl, { acknowledges: true });
  const ready = before.messages.find((message) => message.type === "ready");
  const resume = ready?.type === "ready" ? ready.resume : "";
  await moreAudio(before, 1_000);
  before.drop();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const after = await TestCaller.start(websocketUrl, { acknowledges: true, resume });
  const backAtMs = performance.now();
  await moreAudio(after, 1_500);
  // What was not heard while nobody was there would come at once.
  expect(performance.now() - backAtMs).toBeGreaterThan(1_000);
  expect(Math.abs(lastLevel(after, 1_000) + 46)).toBeLessThan(5);
  after.send({ type: "hangup" });
  await after.untilClosed();
});

it.each([
  { encoding: "mulaw", sampleRate: 8_000, bytes: 160 },
  { encoding: "alaw", sampleRate: 8_000, bytes: 160 },
  { encoding: "pcm_s16le", sampleRate: 24_000, bytes: 960 },
])("is whole frames of $encoding at $sampleRate Hz between answers", async ({ bytes, ...audio }) => {
  const { websocketUrl } = await gateway.createSession({
    brainUrl: brain.url,
    sound: { background: "cafe" },
  });
  const caller = await TestCaller.start(websocketUrl, { audio });
  await expect.poll(() => caller.audio.length, { timeout: LATEST_MS }).toBeGreaterThan(40);
  expect(new Set(caller.audio.map(({ length }) => length))).toEqual(new Set([bytes]));
  caller.drop();
});

it("ends with a call that the caller ends: nothing is sent behind its end", async () => {
  const { websocketUrl, sessionId } = await gateway.createSession({
    brainUrl: brain.url,
    sound: { background: "call-center" },
  });
  const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
  await moreAudio(caller, 500);
  caller.send({ type: "hangup" });
  expect(await caller.untilClosed()).toMatchObject({ code: 1_000 });
  const events = await gateway.eventsOf(sessionId);
  expect(events.at(-1)).toMatchObject({ type: "call.ended" });
});
