import { SILENCE_DB } from "../level/level-of.ts";
import { FRAME_MS } from "../pcm.ts";

/** A voice softer than the caller's by more than this for `RECENT_FRAMES` belongs to another person. */
const UNDER_CALLER_DB = 13;
/** Softer sounds within a word are shorter. */
const RECENT_FRAMES = 200 / FRAME_MS;
/** How fast a louder voice raises the caller's level: the share of the difference per voiced frame. */
const ATTACK = 0.25;
/** Decay of the caller's level per frame: a caller who speaks more softly is heard again within seconds. */
const FORGET_DB = 1.5 / (1_000 / FRAME_MS);

/**
 * Tells the voice at the microphone from voices behind it, which a voice model rightly takes for voice. Levels are RMS
 * of a 20 ms frame in dB of full scale.
 */
export class Foreground {
  readonly #recentDb: number[] = [];
  #callerDb = SILENCE_DB;

  /** Level of the caller's voice, near its peaks; `SILENCE_DB` before the first voice. */
  get callerDb(): number {
    return this.#callerDb;
  }

  /** Takes the next frame's level and whether it is voice at all. Returns whether it is voice at the microphone. */
  push(levelDb: number, isVoice: boolean): boolean {
    this.#recentDb.push(levelDb);
    if (this.#recentDb.length > RECENT_FRAMES) this.#recentDb.shift();
    this.#callerDb = Math.max(SILENCE_DB, this.#callerDb - FORGET_DB);
    if (isVoice && levelDb > this.#callerDb) this.#callerDb += (levelDb - this.#callerDb) * ATTACK;
    return isVoice && Math.max(...this.#recentDb) >= this.#callerDb - UNDER_CALLER_DB;
  }
}
