import { expect, it } from "vitest";
import { createPlayback } from "./playback.ts";

it.each([
  [8_000, 1],
  [16_000, 2],
  [44_100, 2],
  [11_025, 1],
])("a file of %i Hz with %i channels is played in its own time", async (sampleRateHz, channels) => {
  const samples = new Int16Array(sampleRateHz * channels).fill(1_000);
  const playback = await createPlayback({ sampleRateHz, channels, samples });
  expect(playback.durationMs).toBe(1_000);
  const frames: Int16Array[] = [];
  for (let frame = playback.next(); frame; frame = playback.next()) frames.push(frame);
  expect(frames.length).toBeGreaterThanOrEqual(49);
  expect(frames.length).toBeLessThanOrEqual(51);
  expect(frames[25]?.every((sample) => Math.abs(sample - 1_000) < 20)).toBe(true);
  expect(playback.next()).toBeUndefined();
});
