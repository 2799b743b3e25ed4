/** The level that stands for silence. */
export const SILENCE_DB = -90;
const FULL_SCALE = 32_768;

/** RMS of a frame in dB of full scale, never below `SILENCE_DB`. */
export function levelOf(frame: Int16Array): number {
  let sum = 0;
  for (const sample of frame) sum += sample * sample;
  if (sum === 0) return SILENCE_DB;
  return Math.max(SILENCE_DB, 10 * Math.log10(sum / frame.length / (FULL_SCALE * FULL_SCALE)));
}
