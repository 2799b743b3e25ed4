const OPEN_LEVEL = 0.02;
const CLOSE_LEVEL = 0.01;
/** Frames of 20 ms below the lower level before the caller counts as silent: 400 ms. */
const HANGOVER_FRAMES = 20;

/**
 * Guesses from microphone levels whether the caller is speaking, only for the page's face: the gateway
 * decides turns.
 */
export class SpeechGate {
  #speaking = false;
  #quietFrames = 0;

  /** @param level of the next 20 ms, 0 to 1 */
  push(level: number): boolean {
    if (level >= OPEN_LEVEL) this.#speaking = true;
    this.#quietFrames = level < CLOSE_LEVEL ? this.#quietFrames + 1 : 0;
    if (this.#quietFrames >= HANGOVER_FRAMES) this.#speaking = false;
    return this.#speaking;
  }
}
