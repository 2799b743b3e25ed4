import { describe, expect, test } from "vitest";
import { MicrophoneFramer } from "./microphone-framer.ts";

const CALL_HZ = 16_000;
/** What an AudioWorklet is given at a time. */
const BLOCK = 128;

/** One second of a sine at the microphone's rate, through the framer. */
function record(microphoneHz: number, toneHz: number, amplitude = 0.5) {
  const framer = new MicrophoneFramer(microphoneHz, CALL_HZ);
  const frames = [];
  for (let at = 0; at < microphoneHz; at += BLOCK) {
    const block = Float32Array.from(
      { length: BLOCK },
      (_, i) => amplitude * Math.sin((2 * Math.PI * toneHz * (at + i)) / microphoneHz),
    );
    frames.push(...framer.push(block));
  }
  return frames;
}

/** Steady middle of the recording, as root mean square from 0 to 1. */
function loudness(frames: ReturnType<typeof record>): number {
  const middle = frames.slice(5, -5);
  return Math.sqrt(middle.reduce((sum, frame) => sum + frame.level ** 2, 0) / middle.length);
}

describe("MicrophoneFramer", () => {
  test.each([16_000, 44_100, 48_000, 96_000, 8_000])(
    "cuts %i Hz into messages of 320 samples, 50 a second",
    (rateHz) => {
      const frames = record(rateHz, 400);
      expect(frames.every((frame) => frame.samples.length === 320)).toBe(true);
      expect(frames.length).toBeGreaterThanOrEqual(49);
      expect(frames.length).toBeLessThanOrEqual(50);
    },
  );

  test.each([44_100, 48_000])("keeps the voice band of a %i Hz microphone at its loudness", (rateHz) => {
    for (const toneHz of [200, 1000, 3400, 6000]) {
      expect(loudness(record(rateHz, toneHz))).toBeCloseTo(0.5 / Math.SQRT2, 2);
    }
  });

  test.each([44_100, 48_000])("keeps what 16 kHz cannot carry out of a %i Hz microphone", (rateHz) => {
    for (const toneHz of [9_500, 12_000, 15_000]) {
      expect(loudness(record(rateHz, toneHz))).toBeLessThan(0.002);
    }
  });

  test("joins blocks without seams", () => {
    const samples = record(48_000, 1000)
      .flatMap((frame) => [...frame.samples])
      .slice(1600, 8000);
    // A sine at this rate obeys s[n+1] = 2cos(w)s[n] - s[n-1]; a seam would break it.
    const c = 2 * Math.cos((2 * Math.PI * 1000) / CALL_HZ);
    const worst = Math.max(
      ...samples.slice(1, -1).map((sample, i) => Math.abs(samples[i + 2]! - c * sample + samples[i]!)),
    );
    expect(worst).toBeLessThan(40);
  });

  test("clips instead of wrapping around", () => {
    const peak = Math.max(...record(16_000, 200, 1.5).flatMap((frame) => [...frame.samples]));
    expect(peak).toBe(32_767);
  });
});
