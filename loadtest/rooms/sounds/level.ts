import { FRAME_SAMPLES } from "@parley/media/pcm.ts";

/** Level of the caller's voice: RMS of its voiced frames in dBFS. */
export const VOICE_DB = -24;
/** A quiet room, which is never digital silence. */
export const FLOOR_DB = -60;
const SILENCE_DB = -120;
const FULL_SCALE = 32_768;
/** Frames this far below the loudest are pauses, and do not count toward the level. */
const PAUSE_DB = 20;

/** RMS of 16-bit samples, in dBFS. */
export function levelDb(samples: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < samples.length; i++) sum += (samples[i] ?? 0) ** 2;
  if (sum === 0) return SILENCE_DB;
  return Math.max(SILENCE_DB, 10 * Math.log10(sum / samples.length / FULL_SCALE ** 2));
}

/** Scales samples to a level, measured over the frames with sound. */
export function atLevel(samples: ArrayLike<number>, db: number): Float32Array {
  const all = Float32Array.from(samples);
  const levels: number[] = [];
  for (let at = 0; at + FRAME_SAMPLES <= all.length; at += FRAME_SAMPLES) {
    levels.push(levelDb(all.subarray(at, at + FRAME_SAMPLES)));
  }
  const loudest = levels.reduce((most, level) => Math.max(most, level), SILENCE_DB);
  const powers = levels.filter((level) => level > loudest - PAUSE_DB).map((level) => 10 ** (level / 10));
  if (powers.length === 0) return all;
  const nowDb = 10 * Math.log10(powers.reduce((sum, power) => sum + power, 0) / powers.length);
  const gain = 10 ** ((db - nowDb) / 20);
  return all.map((sample) => sample * gain);
}
