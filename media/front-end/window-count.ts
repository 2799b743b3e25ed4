import { FRAME_SAMPLES } from "../pcm.ts";

/** Silero v5 takes 32 ms of 16 kHz. */
export const WINDOW_SAMPLES = 512;
/** Frames from before its first one that a stream is given where it can be, to warm the model up. */
export const LOOKBACK_FRAMES = 3;
/** What is left out after a restart, so that a window ends with the frame after those. */
export const RESTART_SKIP_SAMPLES = ((LOOKBACK_FRAMES + 1) * FRAME_SAMPLES) % WINDOW_SAMPLES;

/** Counts the samples of one stream up to its windows; the model looks only where one is whole. */
export class WindowCount {
  #filled = 0;
  #skip = 0;

  /** As `VoiceStream.restart`. */
  restart(): void {
    this.#filled = 0;
    this.#skip = RESTART_SKIP_SAMPLES;
  }

  /** Takes the next frame; tells whether a window ends in it. */
  push(): boolean {
    const skipped = Math.min(this.#skip, FRAME_SAMPLES);
    this.#skip -= skipped;
    this.#filled += FRAME_SAMPLES - skipped;
    if (this.#filled < WINDOW_SAMPLES) return false;
    this.#filled -= WINDOW_SAMPLES;
    return true;
  }
}
