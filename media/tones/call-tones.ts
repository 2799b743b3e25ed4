import { FRAME_MS, FRAME_SAMPLES, msToSamples, PCM_RATE_HZ } from "../pcm.ts";

/** A repeating signal: its 20 ms frames at 16 kHz, undefined where silent. Shared: never write into a frame. */
export type Cadence = readonly (Int16Array | undefined)[];

interface Burst {
  readonly atMs: number;
  readonly ms: number;
}

interface Signal {
  readonly frequenciesHz: readonly number[];
  /** Amplitude of each frequency. */
  readonly amplitude: number;
  /** A multiple of 20 ms, as are the bursts. */
  readonly periodMs: number;
  readonly bursts: readonly Burst[];
}

const FULL_SCALE = 32_767;
/** Fade at both ends that keeps a tone from clicking. */
const RAMP_SAMPLES = msToSamples(10);

/** What a caller hears while the phone rings: two seconds of six, as in North America (ITU-T E.180, supplement 2). */
export const RING_BACK: Cadence = cadence({
  frequenciesHz: [440, 480],
  amplitude: 0.1,
  periodMs: 6_000,
  bursts: [{ atMs: 0, ms: 2_000 }],
});

/** What a person on hold hears: two short soft beeps every ten seconds as a sign that the hold continues. */
export const HOLD_BEEPS: Cadence = cadence({
  frequenciesHz: [425],
  amplitude: 0.06,
  periodMs: 10_000,
  bursts: [
    { atMs: 0, ms: 200 },
    { atMs: 400, ms: 200 },
  ],
});

function cadence({ frequenciesHz, amplitude, periodMs, bursts }: Signal): Cadence {
  const frames = new Array<Int16Array | undefined>(periodMs / FRAME_MS).fill(undefined);
  for (const { atMs, ms } of bursts) {
    const samples = tone(msToSamples(ms), frequenciesHz, amplitude);
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES)
      frames[atMs / FRAME_MS + at / FRAME_SAMPLES] = samples.slice(at, at + FRAME_SAMPLES);
  }
  return frames;
}

function tone(length: number, frequenciesHz: readonly number[], amplitude: number): Int16Array {
  return Int16Array.from({ length }, (_, i) => {
    const fade = Math.min(1, (i + 1) / RAMP_SAMPLES, (length - i) / RAMP_SAMPLES);
    const wave = frequenciesHz.reduce((sum, hz) => sum + Math.sin((2 * Math.PI * hz * i) / PCM_RATE_HZ), 0);
    return Math.round(FULL_SCALE * amplitude * fade * wave);
  });
}
