import { seededRandom } from "@parley/media/background/random.ts";
import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { describe, expect, it } from "vitest";
import { flite } from "../../../testkit/speech.ts";
import { levelDb } from "../sounds/level.ts";
import { Alignment } from "./alignment.ts";
import { SentTimeline } from "./sent-timeline.ts";

const FRAMES = 60;
/** The caller goes on softly from here on, under the room's noise. */
const SOFT_FROM = 30;
/** The length of a short word. */
const WORD = 12;
/** How much of a voice it takes to find where it is. */
const FOUND_AFTER = 20;
const LOST = [13, 23, 38, 53, 64, 83, 97, 112];

/** What a caller said, the room's noise over it, and an oracle's alignment that has heard nothing yet. */
function setUp() {
  const random = seededRandom(7);
  const sent = new SentTimeline();
  const frames = Array.from({ length: FRAMES }, (_, n) => {
    const gain = n < SOFT_FROM ? 6_000 : 500;
    let level = 0;
    const voices = Float32Array.from({ length: FRAME_SAMPLES }, () => {
      level = level * 0.8 + (random() * 2 - 1) * 0.4;
      return level * gain;
    });
    const mix = Int16Array.from(voices, (sample) => Math.round(sample + (random() * 2 - 1) * 900));
    sent.push({ mix, voices, echoDb: -120, restDb: levelDb(mix) });
    return { voices: Int16Array.from(voices, Math.round), mix };
  });
  return { frames, alignment: new Alignment(sent) };
}

describe("the oracle's ear for what came", () => {
  it("knows a soft voice by itself once the room's noise over it is taken out", () => {
    const { frames, alignment } = setUp();
    for (const [n, { mix, voices }] of frames.entries()) alignment.push(n < SOFT_FROM ? mix : voices);
    expect(alignment.isWhole(SOFT_FROM, FRAMES)).toBe(true);
  });

  it("knows words that lack a frame here and there", async () => {
    const speech = await flite("What time does the kitchen close on Sunday night?");
    const sent = new SentTimeline();
    const alignment = new Alignment(sent);
    const frames = Math.floor(speech.length / FRAME_SAMPLES);
    for (let n = 0; n < frames; n++) {
      const mix = speech.slice(n * FRAME_SAMPLES, (n + 1) * FRAME_SAMPLES);
      sent.push({ mix, voices: Float32Array.from(mix), echoDb: -120, restDb: levelDb(mix) });
      if (!LOST.includes(n)) alignment.push(mix);
    }
    const words = Array.from({ length: frames - WORD }, (_, from) => from);
    const missed = words.slice(FOUND_AFTER).filter((from) => !alignment.isWhole(from, from + WORD));
    expect(missed).toEqual([]);
  });

  it("knows what came as it was sent", () => {
    const { frames, alignment } = setUp();
    for (const { mix } of frames) alignment.push(mix);
    expect(alignment.isWhole(0, FRAMES)).toBe(true);
  });

  it("misses a voice in whose place silence came, or noise alone", () => {
    for (const made of [
      () => new Int16Array(FRAME_SAMPLES),
      ({ mix, voices }: { mix: Int16Array; voices: Int16Array }) =>
        mix.map((sample, i) => sample - (voices[i] ?? 0)),
    ]) {
      const { frames, alignment } = setUp();
      for (const [n, frame] of frames.entries()) alignment.push(n >= 10 && n < 25 ? made(frame) : frame.mix);
      expect(alignment.isWhole(10, 25)).toBe(false);
      expect(alignment.isWhole(SOFT_FROM, FRAMES)).toBe(true);
    }
  });
});
