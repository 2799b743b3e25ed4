import { describe, expect, it } from "vitest";
import { DtmfDetector } from "../dtmf/detector.ts";
import { FRAME_MS, FRAME_SAMPLES, PCM_RATE_HZ } from "../pcm.ts";
import { type Cadence, HOLD_BEEPS, RING_BACK } from "./call-tones.ts";

/** How much of a frequency is in it: the amplitude of a pure tone of it. */
function amountOf(hz: number, samples: Int16Array): number {
  let sine = 0;
  let cosine = 0;
  for (const [i, sample] of samples.entries()) {
    sine += sample * Math.sin((2 * Math.PI * hz * i) / PCM_RATE_HZ);
    cosine += sample * Math.cos((2 * Math.PI * hz * i) / PCM_RATE_HZ);
  }
  return (2 * Math.hypot(sine, cosine)) / samples.length;
}

const soundOf = (cadence: Cadence): Int16Array =>
  Int16Array.from(cadence.flatMap((frame) => [...(frame ?? [])]));
/** Begin and end of what sounds, ms. */
function bursts(cadence: Cadence): [number, number][] {
  const found: [number, number][] = [];
  for (const [i, frame] of cadence.entries()) {
    const last = found.at(-1);
    if (!frame) continue;
    if (last?.[1] === i * FRAME_MS) last[1] += FRAME_MS;
    else found.push([i * FRAME_MS, (i + 1) * FRAME_MS]);
  }
  return found;
}

const SIGNALS = [
  {
    name: "the ring-back tone",
    cadence: RING_BACK,
    periodMs: 6_000,
    when: [[0, 2_000]],
    frequenciesHz: [440, 480],
    amplitude: 3_277,
  },
  {
    name: "the hold beeps",
    cadence: HOLD_BEEPS,
    periodMs: 10_000,
    when: [
      [0, 200],
      [400, 600],
    ],
    frequenciesHz: [425],
    amplitude: 1_966,
  },
] as const;

describe.each(SIGNALS)("$name", ({ cadence, periodMs, when, frequenciesHz, amplitude }) => {
  it("sounds when it should, in whole frames", () => {
    expect(cadence.length * FRAME_MS).toBe(periodMs);
    expect(bursts(cadence)).toEqual(when);
    expect(cadence.every((frame) => frame === undefined || frame.length === FRAME_SAMPLES)).toBe(true);
  });

  it("has its frequencies and no key's", () => {
    const [first, last] = when[0];
    const sound = soundOf(cadence).subarray(0, ((last - first) / FRAME_MS) * FRAME_SAMPLES);
    for (const hz of frequenciesHz) expect(amountOf(hz, sound)).toBeGreaterThan(0.9 * amplitude);
    expect(amountOf(1_000, sound)).toBeLessThan(amplitude / 50);
    const detector = new DtmfDetector();
    expect(cadence.flatMap((frame) => (frame ? (detector.push(frame) ?? []) : []))).toEqual([]);
  });

  it("begins and ends without a click", () => {
    const sound = soundOf(cadence);
    expect(Math.abs(sound[0] ?? 0)).toBeLessThan(100);
    expect(Math.abs(sound.at(-1) ?? 0)).toBeLessThan(100);
  });
});
