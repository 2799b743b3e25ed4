import { FRAME_SAMPLES, PCM_RATE_HZ } from "@parley/media/pcm.ts";
import { createResampler } from "@parley/media/resample/resampler.ts";
import { expect, it } from "vitest";
import { mix } from "./mix.ts";
import { Playback } from "./playback.ts";

it.each([
  [8_000, 1],
  [16_000, 2],
  [44_100, 2],
  [11_025, 1],
])("a file of %i Hz with %i channels is played in its own time", async (sampleRateHz, channels) => {
  const samples = new Int16Array(sampleRateHz * channels).fill(1_000);
  const playback = new Playback(
    { sampleRateHz, channels, samples },
    await createResampler(sampleRateHz, PCM_RATE_HZ),
  );
  expect(playback.durationMs).toBe(1_000);
  const frames: Int16Array[] = [];
  for (let frame = playback.next(); frame; frame = playback.next()) frames.push(frame);
  expect(frames.length).toBeGreaterThanOrEqual(49);
  expect(frames.length).toBeLessThanOrEqual(51);
  expect(frames[25]?.every((sample) => Math.abs(sample - 1_000) < 20)).toBe(true);
  expect(playback.next()).toBeUndefined();
});

it("two sounds at once are both heard, and clipped", () => {
  const loud = new Int16Array(FRAME_SAMPLES).fill(30_000);
  const soft = new Int16Array(FRAME_SAMPLES).fill(100);
  expect(mix(loud, soft)?.[0]).toBe(30_100);
  expect(mix(loud, loud)?.[0]).toBe(32_767);
  expect(mix(undefined, soft)).toBe(soft);
  expect(mix(undefined, undefined)).toBeUndefined();
});
