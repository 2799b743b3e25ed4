import { FRAME_SAMPLES, msToSamples, PCM_RATE_HZ, samplesToMs } from "@parley/media/pcm.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { type FakeOpenAi, startFakeOpenAi } from "../../testkit/fakes/speech/openai.ts";
import { needs } from "../../testkit/needs.ts";
import { flite } from "../../testkit/speech.ts";
import type { DrillCall } from "./support/drill-call.ts";
import { LoneNode } from "./support/lone-node.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

const ANSWER =
  "We are open from nine to five on weekdays, and on Saturdays we close at noon. Is there anything else?";
const QUESTION = "When are you open?";
/** The vendor's voice is a tone, so that nobody can take it for flite's. */
const TONE_HZ = 1_000;
const TONE_AMPLITUDE = 8_000;
/** As fast as flite speaks, near enough. */
const TONE_MS_PER_CHAR = 65;
/** 100 ms of 24 kHz audio every 80 ms: a little faster than real time, as vendors stream. */
const LIVE = { kind: "drip", chunkBytes: 4_800, everyMs: 80 } as const;
/** What callers have heard of the vendor when it dies. */
const DIES_AFTER_MS = 1_500;
/** A vendor that failed is tried again after 30 s at the latest. */
const BACK_WITHIN_MS = 60_000;

type Sound = "silence" | "tone" | "speech";

/** What a 20 ms frame is, by the share of its power that lies at the tone's frequency (Goertzel). */
function soundOf(frame: Int16Array): Sound {
  const power = frame.reduce((sum, sample) => sum + sample * sample, 0);
  if (power < 100 ** 2 * frame.length) return "silence";
  const factor = 2 * Math.cos((2 * Math.PI * TONE_HZ) / PCM_RATE_HZ);
  let [last, beforeLast] = [0, 0];
  for (const sample of frame) [last, beforeLast] = [sample + factor * last - beforeLast, last];
  const atTone = (last ** 2 + beforeLast ** 2 - factor * last * beforeLast) * (2 / frame.length);
  return atTone > power * 0.8 ? "tone" : "speech";
}

function soundsOf(samples: Int16Array): Sound[] {
  return Array.from({ length: Math.floor(samples.length / FRAME_SAMPLES) }, (_, index) =>
    soundOf(samples.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES)),
  );
}

function startVendor(port?: number): Promise<FakeOpenAi> {
  const voice = (text: string): Promise<Int16Array> => {
    const sine = (_: number, at: number): number =>
      TONE_AMPLITUDE * Math.sin((2 * Math.PI * TONE_HZ * at) / PCM_RATE_HZ);
    return Promise.resolve(new Int16Array(msToSamples(text.length * TONE_MS_PER_CHAR)).map(sine));
  };
  return startFakeOpenAi({ voice, style: "plain", ...(port === undefined ? {} : { port }) });
}

describe.runIf(needs("redis"))("A voice vendor that dies in mid-sentence", () => {
  let node: LoneNode;
  let vendor: FakeOpenAi;
  let brain: TestBrain;
  beforeAll(async () => {
    vendor = await startVendor();
    node = await LoneNode.start({ env: { OPENAI_BASE_URL: vendor.url } });
    brain = await TestBrain.start((turn) => {
      turn.token(turn.request.query === QUESTION ? ANSWER : "Yes, we are.");
      turn.done();
    });
  });
  afterAll(async () => {
    brain.close();
    await vendor.close();
    await node.remove();
  });

  /** Asks and gives what was heard of the answer. */
  async function answerOf(call: DrillCall, text: string): Promise<Int16Array> {
    const from = call.caller.heard().length;
    await call.ask(text);
    return call.caller.heard().subarray(from);
  }

  it("is followed by the fallback voice, and heard again when it is back", DRILL, async () => {
    const call = () =>
      node.call({ brain: { url: brain.url }, tts: [{ vendor: "openai" }, { vendor: "flite" }] });
    const calls = await Promise.all(Array.from({ length: sizeOf("voiceDies").calls }, call));
    vendor.faults.set(LIVE);
    const answers = Promise.all(calls.map((one) => answerOf(one, QUESTION)));
    const leastHeardMs = (): number =>
      Math.min(...calls.map(({ caller }) => samplesToMs(caller.heard().length)));
    await expect.poll(leastHeardMs, { interval: 20, timeout: DRILL.timeout }).toBeGreaterThan(DIES_AFTER_MS);
    await vendor.close();

    const heardOfEach = await answers;
    expect(new Set(calls.map((one) => one.said.at(-1)))).toEqual(new Set([ANSWER]));
    const wholeMs = samplesToMs((await flite(ANSWER)).length);
    for (const heard of heardOfEach) {
      const sounds = soundsOf(heard);
      const firstSpeech = sounds.indexOf("speech");
      // The vendor's voice to the end of what came of it, then the other to the end of the answer.
      expect(samplesToMs(sounds.lastIndexOf("tone") * FRAME_SAMPLES)).toBeGreaterThan(DIES_AFTER_MS * 0.9);
      expect(sounds.lastIndexOf("tone")).toBeLessThan(firstSpeech + 2);
      // Nothing is left out, and nothing said twice.
      expect(samplesToMs(heard.length)).toBeGreaterThan(wholeMs * 0.7);
      expect(samplesToMs(heard.length)).toBeLessThan(wholeMs * 1.4);
    }
    for (const heard of await Promise.all(calls.map((one) => answerOf(one, "And now?")))) {
      expect(soundsOf(heard)).not.toContain("tone");
    }

    vendor = await startVendor(Number(new URL(vendor.url).port));
    const [first] = calls as [DrillCall];
    const isBack = async (): Promise<boolean> =>
      soundsOf(await answerOf(first, "And after it?")).includes("tone");
    await expect.poll(isBack, { timeout: BACK_WITHIN_MS, interval: 500 }).toBe(true);
    const closed = await Promise.all(calls.map((one) => one.hangUp()));
    expect(new Set(closed.map(({ code }) => code))).toEqual(new Set([1000]));
  });
});
