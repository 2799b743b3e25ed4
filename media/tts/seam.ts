import { msToSamples } from "../pcm.ts";

/** Long enough that no click is heard, short enough that no sound is lost. */
const FADE_SAMPLES = msToSamples(5);

/** A copy of `samples` that rises from silence in 5 ms, for a voice that takes over. */
export function fadeIn(samples: Int16Array): Int16Array {
  const faded = samples.slice();
  const count = Math.min(FADE_SAMPLES, faded.length);
  for (let i = 0; i < count; i++) faded[i] = Math.round(((faded[i] as number) * i) / FADE_SAMPLES);
  return faded;
}

/** Returns 5 ms that lead from `sample`, the last one of a voice that broke off, to silence. */
export function fadeOutFrom(sample: number): Int16Array {
  const fall = new Int16Array(FADE_SAMPLES);
  return fall.map((_, i) => Math.round(sample * (1 - (i + 1) / FADE_SAMPLES)));
}
