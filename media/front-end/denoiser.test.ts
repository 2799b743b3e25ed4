import { describe, expect, it } from "vitest";
import { overNoise, pinkNoise, rms } from "../../testkit/noise.ts";
import { flite } from "../../testkit/speech.ts";
import { FRAME_SAMPLES } from "../pcm.ts";
import { createDenoiser, DENOISER_DELAY_SAMPLES } from "./denoiser.ts";

const FROM_MS = 1_000;

async function denoised(samples: Int16Array): Promise<Int16Array> {
  const denoiser = await createDenoiser();
  const out = new Int16Array(samples.length);
  for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES) {
    out.set(denoiser.process(samples.subarray(at, at + FRAME_SAMPLES)), at);
  }
  denoiser.free();
  return out;
}

/** The sentence after a second of nothing, whole frames. */
async function sentence(): Promise<Int16Array> {
  const speech = await flite("I would like to book a table for two people tomorrow evening.", "rms");
  const whole = new Int16Array(Math.ceil((16_000 + speech.length + 8_000) / FRAME_SAMPLES) * FRAME_SAMPLES);
  whole.set(speech, 16 * FROM_MS);
  return whole;
}

/** What is left beside the voice, dB under it, when `heard` is this late. */
function distanceDb(heard: Int16Array, voice: Int16Array, lateSamples: number): number {
  const rest = voice
    .slice(0, voice.length - lateSamples)
    .map((x, at) => x - (heard[at + lateSamples] as number));
  return 20 * Math.log10(rms(voice) / rms(rest));
}

describe("the denoiser", () => {
  it("is late by what it says it is, exactly", async () => {
    const voice = await sentence();
    const heard = await denoised(voice);
    const likeness = Array.from({ length: 31 }, (_, i) => distanceDb(heard, voice, 209 + i));
    const best = 209 + likeness.indexOf(Math.max(...likeness));
    expect(best).toBe(DENOISER_DELAY_SAMPLES);
    expect(Math.max(...likeness)).toBeGreaterThan(12);
  });

  it("brings a voice 4 dB out of the noise around it, and silences the noise between words", async () => {
    const voice = await sentence();
    const noisy = overNoise(voice, pinkNoise(voice.length), { snrDb: 5, fromMs: 0 });
    const heard = await denoised(noisy);
    const before = distanceDb(noisy, voice, 0);
    expect(before).toBeCloseTo(5, 0);
    expect(distanceDb(heard, voice, DENOISER_DELAY_SAMPLES)).toBeGreaterThan(before + 4);
    const pause = (samples: Int16Array): number => rms(samples.subarray(8_000, 15_000));
    expect(20 * Math.log10(pause(heard) / pause(noisy))).toBeLessThan(-20);
  });

  it("gives back as many samples as it gets, whatever multiple of 10 ms they are", async () => {
    const denoiser = await createDenoiser();
    for (const length of [160, 320, 640])
      expect(denoiser.process(new Int16Array(length))).toHaveLength(length);
    denoiser.free();
    denoiser.free();
    expect(() => denoiser.process(new Int16Array(320))).toThrow("freed");
  });
});
