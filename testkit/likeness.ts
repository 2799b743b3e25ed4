import { loudness } from "./softphones.ts";

/** Half a second. */
const WINDOW_SAMPLES = 8_000;
const STEP_SAMPLES = 320;
/** The same sound scores well above this; another sentence in the same voice, well below. */
export const FOUND = 0.8;

/**
 * How much this exact sound occurs in `heard`: the best correlation of any half second with the loudest half
 * second of `sound`.
 */
export function likeness(heard: Int16Array, sound: Int16Array): number {
  const loudest = loudestWindow(sound);
  let best = 0;
  for (let lag = 0; lag + WINDOW_SAMPLES <= heard.length; lag += 2) {
    let [product, energy] = [0, 0];
    // Every eighth sample is enough, and takes an eighth of the time.
    for (let i = 0; i < WINDOW_SAMPLES; i += 8) {
      const sample = heard[lag + i] ?? 0;
      product += sample * (loudest[i] ?? 0);
      energy += sample ** 2;
    }
    best = Math.max(best, product / Math.sqrt(energy || 1));
  }
  const own = loudest.reduce((sum, sample, i) => (i % 8 === 0 ? sum + sample ** 2 : sum), 0);
  return best / Math.sqrt(own);
}

/** The loudest part: the silence around a sentence is not played, so playback may start with the voice. */
function loudestWindow(sound: Int16Array): Int16Array {
  let loudest = sound.subarray(0, WINDOW_SAMPLES);
  for (let at = STEP_SAMPLES; at + WINDOW_SAMPLES <= sound.length; at += STEP_SAMPLES) {
    const window = sound.subarray(at, at + WINDOW_SAMPLES);
    if (loudness(window) > loudness(loudest)) loudest = window;
  }
  return loudest;
}
