import { FRAME_MS, FRAME_SAMPLES, msToSamples } from "@parley/media/pcm.ts";
import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { type FakeDeepgram, startFakeDeepgram } from "../../testkit/fakes/speech/deepgram.ts";
import { createFliteVoice, type FakeRecognizer, joined } from "../../testkit/fakes/speech/fake-speech.ts";
import { TestGateway } from "../../testkit/gateway.ts";
import { overNoise, pinkNoise } from "../../testkit/noise.ts";
import { flite } from "../../testkit/speech.ts";

/** Four calls fill this node; three leave it room. */
const MAX_CALLS = 4;
const SENTENCE = "Book a table for two people.";
const LOOK_MS = 1_000;
/** So many looks at a full node take everything from a single caller: two for the noise, two for the model. */
const LOOKS_TO_THE_CHEAP_PATH = 4;

/** The node looks at itself when the test says so, all else goes by the real clock. */
const looks: (() => void)[] = [];
const clock: Clock = {
  ...systemClock,
  every: (intervalMs, fn) => {
    if (intervalMs !== LOOK_MS) return systemClock.every(intervalMs, fn);
    looks.push(fn);
    return () => undefined;
  },
};
const look = (times = 1): void => {
  for (let i = 0; i < times; i++) for (const one of looks) one();
};

/** All that came to the recognizer, up to the last final. */
const recognized: Int16Array[] = [];
const recognizer: FakeRecognizer = {
  interim: (voicedMs) => (voicedMs > 300 ? "Book a table" : ""),
  final: async (samples) => {
    recognized.push(samples);
    const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    return loudest > 3_000 ? SENTENCE : "";
  },
};

let vendor: FakeDeepgram;
let brain: TestBrain;
let gateway: TestGateway;

beforeAll(async () => {
  vendor = await startFakeDeepgram({ apiKey: "key", voice: createFliteVoice(), recognizer });
  brain = await TestBrain.saying("With pleasure.");
  const env = { DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: vendor.url };
  gateway = await TestGateway.start({
    env: { ...env, FRONT_END: "true", MAX_CALLS: String(MAX_CALLS) },
    clock,
  });
});
afterAll(async () => {
  brain.close();
  await gateway.close();
  await vendor.close();
});

/** One more call, which leaves to the node how it is heard. */
async function join(): Promise<TestCaller> {
  const { websocketUrl } = await gateway.createSession({
    brainUrl: brain.url,
    stt: [{ vendor: "deepgram" }],
  });
  return TestCaller.start(websocketUrl, { acknowledges: true });
}

/** Long enough for some frames of a caller. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5 * FRAME_MS));

async function leave(caller: TestCaller): Promise<void> {
  caller.send({ type: "hangup" });
  await caller.untilClosed();
}

/** What the metrics tell: calls by how they are heard, and how much is withheld. */
async function heardHow(): Promise<Record<string, number>> {
  const calls = (await gateway.metrics.frontEndCalls.get()).values;
  const [reduced] = (await gateway.metrics.frontEndReduced.get()).values;
  const byPath = Object.fromEntries(calls.map(({ labels, value }) => [String(labels.heard), value]));
  return { ...byPath, reduced: reduced?.value ?? -1 };
}

async function answersOfFrontEnd(): Promise<number> {
  const { values } = await gateway.metrics.frontEndSeconds.get();
  return values.find(({ metricName }) => metricName?.endsWith("_count"))?.value ?? 0;
}

/** A caller's microphone: it sends the room all the time, and a sentence in it when there is one to say. */
class Microphone {
  /** All that it sent. */
  readonly sent: Int16Array[] = [];
  readonly #caller: TestCaller;
  #sentence: Int16Array | undefined;
  #isOn = true;

  constructor(caller: TestCaller) {
    this.#caller = caller;
    void this.#send();
  }

  say(sentence: Int16Array): void {
    this.#sentence = sentence;
  }

  off(): void {
    this.#isOn = false;
  }

  async #send(): Promise<void> {
    const startMs = systemClock.monotonicMs();
    for (let frames = 0; this.#isOn; ) {
      const sound = this.#sentence ?? room.subarray(0, FRAME_SAMPLES);
      this.#sentence = undefined;
      this.sent.push(sound);
      frames += sound.length / FRAME_SAMPLES;
      await this.#caller.speak(sound, 0);
      const aheadMs = startMs + frames * FRAME_MS - systemClock.monotonicMs();
      if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs));
    }
  }
}

/** Softer than what a recognizer takes for a voice, louder than a quiet room. */
const room = pinkNoise(msToSamples(6_000)).map((sample) => Math.round(sample / 16));

describe("a node that fills up with calls", () => {
  it("hears them the cheap way, those in mid-sentence too, says so, and hears all of it again when there is room", async () => {
    const spoken = await flite("Book a table for two people", "rms");
    const sentence = overNoise(spoken, room, { snrDb: 28, fromMs: 500 });
    const caller = await join();
    const microphone = new Microphone(caller);
    // The first call that wants it loads it; the call goes on meanwhile.
    while ((await answersOfFrontEnd()) === 0) await pause();
    look();
    expect(await heardHow()).toMatchObject({ denoised: 1, neural: 1, webrtc: 0, reduced: 0 });

    const others = [await join(), await join(), await join()];
    microphone.say(sentence);
    await caller.next("transcript", ({ role, final }) => role === "user" && !final);
    look(LOOKS_TO_THE_CHEAP_PATH);
    expect(await heardHow()).toMatchObject({ denoised: 0, neural: 0, webrtc: MAX_CALLS, reduced: 2 });
    expect(await caller.said("user")).toMatchObject({ text: SENTENCE });
    expect(await caller.said("assistant")).toMatchObject({ text: "With pleasure." });
    expectOneAfterTheOther(joined(recognized), joined(microphone.sent));

    await leave(others.pop() as TestCaller);
    const newcomer = await join();
    look();
    expect(await heardHow()).toMatchObject({ denoised: 0, neural: 0, webrtc: MAX_CALLS, reduced: 2 });
    const speaking = newcomer.speak(spoken, 1_500);
    expect(await newcomer.said("assistant")).toMatchObject({ text: "With pleasure." });
    await speaking;

    for (const other of [...others, newcomer]) await leave(other);
    while ((await heardHow()).denoised === 0) {
      await pause();
      look();
    }
    expect(await heardHow()).toMatchObject({ denoised: 1, neural: 1, webrtc: 0, reduced: 0 });
    microphone.say(sentence);
    expect(await caller.said("user")).toMatchObject({ text: SENTENCE });
    microphone.off();
    await leave(caller);
  }, 120_000);
});

/**
 * The recognizer got the sound as it was, then without its noise, then as it was again. Where it lies may have moved, and a piece
 * of it be spoiled, by what the machine held frames up (that none is lost or doubled by the change: pipeline/hearing.test.ts).
 */
function expectOneAfterTheOther(heard: Int16Array, said: Int16Array): void {
  const changed = heard.findIndex((sample, at) => sample !== said[at]);
  expect(changed).toBeGreaterThan(0);
  expect(heard.length).toBeLessThanOrEqual(said.length);
  const length = msToSamples(60);
  const last = Array.from({ length: 10 }, (_, i) =>
    heard.subarray(heard.length - (i + 1) * length).subarray(0, length),
  );
  const found = last.map((piece) =>
    said.findIndex((_, from) => piece.every((sample, at) => sample === said[from + at])),
  );
  expect(Math.max(...found)).toBeGreaterThan(changed);
}
