import { SILENCE_DB } from "../level/level-of.ts";
import { FRAME_MS } from "../pcm.ts";

/** How much louder than the room a voice must be. */
const OVER_FLOOR_DB = 9;
/** Sound softer than the caller's own voice by more than this is another person or a television. */
const UNDER_CALLER_DB = 12;
/** A lower share of clear frames means single sounds (a keyboard), of which only the frames themselves count. */
const MIN_DENSITY = 0.4;
/** A stretch of clear voice ends after this long without any. */
const GAP_FRAMES = 300 / FRAME_MS;
/** The floor rises by this much a second, so that it learns a room that gets louder, and falls at once. */
const FLOOR_RISE_DB = 1.5 / (1_000 / FRAME_MS);
/** Weight of a new voice in the caller's level: voices differ, and a misjudged one is forgotten. */
const LEARNING = 0.3;
/** Decay of the peak level per voiced frame. */
const PEAK_DECAY_DB = 0.15;

/**
 * Tells a voice near the microphone from sounds of the room, by level alone: a gate that follows the room's floor and,
 * once words were heard from the caller, their own level. Levels are RMS of a 20 ms frame in dB of full scale.
 */
export class ClearVoice {
  #floorDb = 0;
  #callerDb: number | undefined;
  /** Level of the current voice, by its louder frames. */
  #peakDb = SILENCE_DB;
  #clearFrames = 0;
  #framesSinceClear = 0;
  /** Frames since the stretch's first clear one. */
  #stretchFrames = 0;

  /** Takes the next frame's level (`levelOf`) and the detector's verdict on it. */
  push(levelDb: number, isVoice: boolean): void {
    this.#floorDb = Math.min(levelDb, this.#floorDb + FLOOR_RISE_DB);
    if (isVoice) this.#peakDb = Math.max(levelDb, this.#peakDb - PEAK_DECAY_DB);
    if (this.#clearFrames > 0) this.#stretchFrames += 1;
    if (isVoice && this.#isClear(levelDb)) {
      if (this.#clearFrames === 0) this.#stretchFrames = 1;
      this.#clearFrames += 1;
      this.#framesSinceClear = 0;
    } else if (++this.#framesSinceClear > GAP_FRAMES) {
      this.#clearFrames = 0;
    }
  }

  /** The voice since the last `begin` turned out to be the caller's words. */
  learn(): void {
    if (this.#peakDb <= SILENCE_DB) return;
    const before = this.#callerDb ?? this.#peakDb;
    this.#callerDb = before + (this.#peakDb - before) * LEARNING;
  }

  /** Starts a new voice. */
  begin(): void {
    this.#peakDb = SILENCE_DB;
    this.#clearFrames = 0;
  }

  /** How long the current clear voice has lasted up to its last clear frame; 0 if there is none. */
  get clearMs(): number {
    if (this.#clearFrames === 0) return 0;
    const spanFrames = this.#stretchFrames - this.#framesSinceClear;
    const isVoice = this.#clearFrames >= spanFrames * MIN_DENSITY;
    return (isVoice ? spanFrames : this.#clearFrames) * FRAME_MS;
  }

  #isClear(levelDb: number): boolean {
    if (levelDb < this.#floorDb + OVER_FLOOR_DB) return false;
    return this.#callerDb === undefined || levelDb >= this.#callerDb - UNDER_CALLER_DB;
  }
}
