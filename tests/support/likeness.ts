import { loudness } from "./softphones.ts";

/** Half a second. */
const WINDOW_SAMPLES = 8_000;
/** The likeness of the same sound is well above, that of another sentence of the same voice well below. */
export const FOUND = 0.8;

/** Whether this very sound is somewhere in it: the best correlation of any half second with the loudest of `sound`. */
export function likeness(heard: Int16Array, sound: Int16Array): number {
  const starts = Array.from(
    { length: Math.floor(sound.length / WINDOW_SAMPLES) },
    (_, i) => i * WINDOW_SAMPLES,
  );
  const windows = starts.map((at) => sound.subarray(at, at + WINDOW_SAMPLES));
  const loudest = windows.reduce((best, window) => (loudness(window) > loudness(best) ? window : best));
  let best = 0;
  for (let lag = 0; lag + WINDOW_SAMPLES <= heard.length; lag += 2) {
    let [product, energy] = [0, 0];
    // A sample in eight tells enough, and takes an eighth of the time.
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
