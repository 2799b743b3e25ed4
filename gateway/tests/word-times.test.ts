// In real time: what was heard is what was played until then.

import { msToSamples } from "@parley/media/pcm.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { type FakeElevenLabs, startFakeElevenLabs } from "../../testkit/fakes/speech/elevenlabs.ts";
import { TestGateway } from "../../testkit/gateway.ts";

const QUICK = "Wait, we are open from nine to ";
const ANSWER = `${QUICK}seventeen.`;
const ANSWER_MS = 12_000;

let vendor: FakeElevenLabs;
let gateway: TestGateway;
let brain: TestBrain;

beforeAll(async () => {
  vendor = await startFakeElevenLabs({
    apiKey: "key",
    voice: async () => new Int16Array(msToSamples(ANSWER_MS)).fill(6_000),
    // A second for all words but the last one, which is drawn out.
    times: (text) =>
      [...text].map((_, i) => (i < QUICK.length ? i / QUICK.length / 12 : (1 + (i - QUICK.length)) / 12)),
  });
  const env = { ELEVENLABS_API_KEY: "key", ELEVENLABS_URL: vendor.url };
  gateway = await TestGateway.start({ env });
  brain = await TestBrain.saying(ANSWER);
});
afterAll(async () => {
  brain.close();
  await gateway.close();
  await vendor.close();
});

it("an answer that is cut was heard to the word that the voice had come to, however it hurried and dawdled", async () => {
  const { websocketUrl } = await gateway.createSession({
    brainUrl: brain.url,
    tts: [{ vendor: "elevenlabs" }],
  });
  const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
  caller.send({ type: "text", text: "When are you open?" });
  await expect.poll(() => caller.heard().length, { timeout: 90_000 }).toBeGreaterThan(msToSamples(2_000));
  caller.send({ type: "text", text: "Stop." });
  expect(await caller.said("assistant")).toMatchObject({ text: QUICK.trim() });
  await expect.poll(() => brain.turns[1]?.request.heard).toMatchObject({ text: QUICK.trim() });
  caller.drop();
});
