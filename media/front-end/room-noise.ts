import { SILENCE_DB } from "../level/level-of.ts";
import { FRAME_MS } from "../pcm.ts";

/** The floor is the lowest level within this time: nobody talks longer without a pause or a stop before a plosive. */
const FLOOR_MS = 3_000;
const BLOCKS = 5;
const BLOCK_FRAMES = FLOOR_MS / BLOCKS / FRAME_MS;
/**
 * How far a voice stands out of a quiet room. A caller who speaks up leaves fewer gaps down to the room between words,
 * and what remains in those gaps is their voice rather than noise.
 */
const OUT_OF_ROOM_DB = 35;
/** A room is quiet again once its floor was this far below the noisy level … */
const HYSTERESIS_DB = 6;
/** … for this long. */
const QUIET_AFTER_FRAMES = 3_000 / FRAME_MS;

/**
 * Tells whether the room behind a voice is loud enough to be worth suppressing: the cheap gate that lets a quiet line
 * pass untouched. Levels are RMS of a 20 ms frame in dB of full scale.
 */
export class RoomNoise {
  readonly #noisyDb: number;
  /** Lowest level of each recent block, the current one last. */
  readonly #blocks: number[] = [];
  #frames = 0;
  #quietFrames = 0;
  #isNoisy = false;

  /** A floor above `noisyDb` makes a room noisy, unless the voice stands out of the room even more than usual. */
  constructor(noisyDb: number) {
    this.#noisyDb = noisyDb;
  }

  /**
   * Takes the next frame's level and the known level of the caller's voice. Returns whether the room is noisy; the
   * first frame decides at once.
   */
  push(levelDb: number, voiceDb: number = SILENCE_DB): boolean {
    const isNewBlock = this.#frames++ % BLOCK_FRAMES === 0;
    if (isNewBlock) {
      this.#blocks.push(levelDb);
      if (this.#blocks.length > BLOCKS) this.#blocks.shift();
    }
    const last = this.#blocks.length - 1;
    this.#blocks[last] = Math.min(this.#blocks[last] ?? SILENCE_DB, levelDb);
    this.#decide(Math.min(...this.#blocks), Math.max(this.#noisyDb, voiceDb - OUT_OF_ROOM_DB));
    return this.#isNoisy;
  }

  #decide(floorDb: number, noisyDb: number): void {
    if (floorDb > noisyDb) {
      this.#isNoisy = true;
      this.#quietFrames = 0;
    } else if (floorDb < noisyDb - HYSTERESIS_DB) {
      this.#quietFrames += 1;
      if (this.#quietFrames >= QUIET_AFTER_FRAMES) this.#isNoisy = false;
    } else {
      this.#quietFrames = 0;
    }
  }
}
