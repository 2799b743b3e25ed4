import { describe, expect, it } from "vitest";
import { flite } from "../../testkit/speech.ts";
import { FRAME_SAMPLES } from "../pcm.ts";
import { VoiceActivity, type VoiceChange } from "./voice-activity.ts";
import { createVad, type VadAggressiveness } from "./webrtc-vad.ts";

const SENTENCES = [
  "Hello there, how are you?",
  "I would like to book a table for two people tomorrow evening.",
  "Yes.",
  "No thanks.",
  "My number is five five five, one two three four.",
];
const SILENCE_BEFORE_MS = 1_000;
/** Speech fades in and out; nobody can say when it begins more exactly than this. */
const EDGE_TOLERANCE_MS = 120;

/** Noise that is the same in every run, brown when `memory` is near 1, white when it is 0. */
function noise(lengthSamples: number, rms: number, memory: number): Int16Array {
  let seed = 7;
  let level = 0;
  const raw = Float64Array.from({ length: lengthSamples }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    level = memory * level + seed / 0x7fffffff - 0.5;
    return level;
  });
  const rawRms = Math.sqrt(raw.reduce((sum, x) => sum + x * x, 0) / raw.length);
  return Int16Array.from(raw, (x) => (x * rms) / rawRms);
}

async function listen(samples: Int16Array, aggressiveness: VadAggressiveness): Promise<VoiceChange[]> {
  const vad = await createVad(aggressiveness);
  const activity = new VoiceActivity({ detectorOverhangMs: vad.overhangMs });
  const changes: VoiceChange[] = [];
  for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES) {
    const change = activity.push(vad.isVoice(samples.subarray(at, at + FRAME_SAMPLES)));
    if (change !== undefined) changes.push(change);
  }
  vad.free();
  return changes;
}

/** First and last 10 ms above -45 dBFS, in ms. */
function loudSpan(samples: Int16Array): { fromMs: number; toMs: number } {
  const loud: number[] = [];
  for (let at = 0; at + 160 <= samples.length; at += 160) {
    const block = samples.subarray(at, at + 160);
    if (Math.sqrt(block.reduce((sum, x) => sum + x * x, 0) / 160) > 180) loud.push(at / 16);
  }
  return { fromMs: loud[0]!, toMs: loud.at(-1)! + 10 };
}

describe("voice in real speech", () => {
  it.each(SENTENCES)("is found from its first sound to its last: %s", async (sentence) => {
    const speech = await flite(sentence);
    const padded = new Int16Array(speech.length + 16 * (SILENCE_BEFORE_MS + 1_000));
    padded.set(speech, 16 * SILENCE_BEFORE_MS);
    const { fromMs, toMs } = loudSpan(padded);
    const changes = await listen(padded, 2);
    expect(changes.map(({ type }) => type)).toEqual(["started", "ended"]);
    expect(Math.abs(changes[0]!.atMs - fromMs)).toBeLessThanOrEqual(EDGE_TOLERANCE_MS);
    expect(Math.abs(changes[1]!.atMs - toMs)).toBeLessThanOrEqual(EDGE_TOLERANCE_MS);
  });

  it("is two voices when there is a long pause between", async () => {
    const [first, second] = [await flite("Yes."), await flite("No thanks.")];
    const both = new Int16Array(first.length + 24_000 + second.length + 16_000);
    both.set(first, 8_000);
    both.set(second, first.length + 24_000);
    expect((await listen(both, 2)).map(({ type }) => type)).toEqual(["started", "ended", "started", "ended"]);
  });
});

describe("the voice detector", () => {
  it.each([0, 0.97])("hears no voice in steady noise, not even at its start (memory %d)", async (memory) => {
    for (const rms of [0, 10, 30, 100, 300]) {
      expect(await listen(noise(80_000, rms, memory), 2), `rms ${rms}`).toEqual([]);
    }
  });

  it("takes frames of 20 ms and nothing else", async () => {
    const vad = await createVad(2);
    expect(() => vad.isVoice(new Int16Array(160))).toThrow(RangeError);
    vad.free();
    vad.free();
    expect(() => vad.isVoice(new Int16Array(320))).toThrow("freed");
  });
});
