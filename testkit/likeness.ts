import { loudness } from "./softphones.ts";

/** Half a second. */
const WINDOW_SAMPLES = 8_000;
const STEP_SAMPLES = 320;
/** The same sound scores well above this; another sentence in the same voice, well below. */
export const FOUND = 0.8;

/** So many parts are looked for: a processor that stops for a moment spoils one. */
const WINDOWS = 3;

/**
 * How much this exact sound occurs in `heard`: the best correlation of any half second with one of the loudest half
 * seconds of `sound`.
 */
export function likeness(heard: Int16Array, sound: Int16Array): number {
  let best = 0;
  for (const window of loudestWindows(sound)) {
    best = Math.max(best, likenessOf(heard, window));
    if (best > FOUND) break;
  }
  return best;
}

function likenessOf(heard: Int16Array, window: Int16Array): number {
  let best = 0;
  for (let lag = 0; lag + WINDOW_SAMPLES <= heard.length; lag += 2) {
    let [product, energy] = [0, 0];
    // Every eighth sample is enough, and takes an eighth of the time.
    for (let i = 0; i < WINDOW_SAMPLES; i += 8) {
      const sample = heard[lag + i] ?? 0;
      product += sample * (window[i] ?? 0);
      energy += sample ** 2;
    }
    best = Math.max(best, product / Math.sqrt(energy || 1));
  }
  const own = window.reduce((sum, sample, i) => (i % 8 === 0 ? sum + sample ** 2 : sum), 0);
  return best / Math.sqrt(own);
}

/** The loudest parts, which do not overlap: the silence around a sentence is not played, so playback may start with the voice. */
function loudestWindows(sound: Int16Array): Int16Array[] {
  const windows = [{ at: 0, power: loudness(sound.subarray(0, WINDOW_SAMPLES)) }];
  for (let at = STEP_SAMPLES; at + WINDOW_SAMPLES <= sound.length; at += STEP_SAMPLES)
    windows.push({ at, power: loudness(sound.subarray(at, at + WINDOW_SAMPLES)) });
  const chosen: number[] = [];
  for (const { at } of windows.toSorted((a, b) => b.power - a.power)) {
    if (chosen.length === WINDOWS) break;
    if (chosen.every((other) => Math.abs(other - at) >= WINDOW_SAMPLES)) chosen.push(at);
  }
  return chosen.map((at) => sound.subarray(at, at + WINDOW_SAMPLES));
}
