import { msToSamples, PCM_RATE_HZ } from "@parley/media/pcm.ts";

const TONES_HZ = [440, 480] as const;
/** Amplitude of each tone: about -19 dBFS, as networks send it. */
const AMPLITUDE = 0.11 * 32_767;
const TONE_MS = 2_000;
export const RINGBACK_MS = 6_000;
/** Fade at both ends that keeps the tone from clicking. */
const RAMP_SAMPLES = msToSamples(5);

/** One ring and the pause after it, as a caller hears them while a phone rings elsewhere (ITU-T E.180), 16 kHz. */
export function ringback(): Int16Array {
  const samples = new Int16Array(msToSamples(RINGBACK_MS));
  const tone = msToSamples(TONE_MS);
  for (let i = 0; i < tone; i++) {
    const fade = Math.min(1, i / RAMP_SAMPLES, (tone - i) / RAMP_SAMPLES);
    const wave = TONES_HZ.reduce((sum, hz) => sum + Math.sin((2 * Math.PI * hz * i) / PCM_RATE_HZ), 0);
    samples[i] = Math.round(AMPLITUDE * fade * wave);
  }
  return samples;
}
