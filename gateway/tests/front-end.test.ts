// Real time: whoever is heard late has paused, and interrupts the answer when they go on.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { msToSamples } from "@parley/media/pcm.ts";
import { readWav } from "@parley/media/wav/wav-reader.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { type FakeDeepgram, startFakeDeepgram } from "../../testkit/fakes/speech/deepgram.ts";
import { createFliteVoice, createScriptedRecognizer } from "../../testkit/fakes/speech/fake-speech.ts";
import { TestGateway } from "../../testkit/gateway.ts";
import { FOUND, likeness } from "../../testkit/likeness.ts";
import { overNoise, pinkNoise } from "../../testkit/noise.ts";
import { flite } from "../../testkit/speech.ts";

let vendor: FakeDeepgram;
let gateway: TestGateway;
let brain: TestBrain;

beforeAll(async () => {
  const recognizer = createScriptedRecognizer(["Book a table for two people."]);
  vendor = await startFakeDeepgram({ apiKey: "key", voice: createFliteVoice(), recognizer });
  const env = { DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: vendor.url, FRONT_END: "true" };
  gateway = await TestGateway.start({ env });
  brain = await TestBrain.saying("With pleasure.");
});
afterAll(async () => {
  brain.close();
  await gateway.close();
  await vendor.close();
});

describe("a caller in a noisy room", () => {
  it("is answered through the front end, and recorded as they sounded before it", async () => {
    const { websocketUrl, sessionId } = await gateway.createSession({
      brainUrl: brain.url,
      stt: [{ vendor: "deepgram" }],
      recording: true,
      hearing: { noiseSuppression: "on", vad: "neural" },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    // The first call that wants it loads it; calls go on meanwhile.
    while ((await answersOfFrontEnd()) === 0) await caller.speak(new Int16Array(0), 100);
    const speech = await flite("Book a table for two people", "rms");
    const room = overNoise(speech, pinkNoise(msToSamples(6_000)), { snrDb: 20, fromMs: 2_000 });
    const speaking = caller.speak(room, 0);
    expect(await caller.said("user")).toMatchObject({ text: "Book a table for two people." });
    expect(await caller.said("assistant")).toMatchObject({ text: "With pleasure." });
    await speaking;
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    // Long enough for three parts to be looked for: a processor that stops for a moment spoils one.
    const noise = room.subarray(0, msToSamples(1_900));
    expect(likeness(await recordedCaller(sessionId), noise)).toBeGreaterThan(FOUND);
  });
});

async function answersOfFrontEnd(): Promise<number> {
  const { values } = await gateway.metrics.frontEndSeconds.get();
  return values.find(({ metricName }) => metricName?.endsWith("_count"))?.value ?? 0;
}

/** The caller's channel of a call that is over. */
async function recordedCaller(sessionId: string): Promise<Int16Array> {
  await gateway.eventsOf(sessionId);
  const [path] = globSync(`recordings/*/${sessionId}/*.wav`, { cwd: gateway.dataDir });
  const { samples, channels } = readWav(readFileSync(join(gateway.dataDir, path ?? "")));
  return samples.filter((_, at) => at % channels === 0);
}
