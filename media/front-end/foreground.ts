import { SILENCE_DB } from "../level/level-of.ts";
import { FRAME_MS } from "../pcm.ts";

/** Voice that is softer than the caller's by more than this, for as long as `RECENT_FRAMES`, is somebody else's. */
const UNDER_CALLER_DB = 13;
/** Softer sounds inside of a word last less. */
const RECENT_FRAMES = 200 / FRAME_MS;
/** How quickly louder voice raises the caller's level: a share of the difference, each voiced frame. */
const ATTACK = 0.25;
/** The level is forgotten by so much a frame: a caller who speaks more softly is heard again after seconds. */
const FORGET_DB = 1.5 / (1_000 / FRAME_MS);

/**
 * Tells the voice at the microphone from voices behind it, which a model of voice takes for what they are: voice. Levels
 * are RMS of a 20 ms frame in dB of full scale.
 */
export class Foreground {
  readonly #recentDb: number[] = [];
  #callerDb = SILENCE_DB;

  /** How loud the caller's voice is, near its peaks; `SILENCE_DB` before the first. */
  get callerDb(): number {
    return this.#callerDb;
  }

  /** Takes the next frame's level and whether it is voice at all; gives whether it is voice at the microphone. */
  push(levelDb: number, isVoice: boolean): boolean {
    this.#recentDb.push(levelDb);
    if (this.#recentDb.length > RECENT_FRAMES) this.#recentDb.shift();
    this.#callerDb = Math.max(SILENCE_DB, this.#callerDb - FORGET_DB);
    if (isVoice && levelDb > this.#callerDb) this.#callerDb += (levelDb - this.#callerDb) * ATTACK;
    return isVoice && Math.max(...this.#recentDb) >= this.#callerDb - UNDER_CALLER_DB;
  }
}
