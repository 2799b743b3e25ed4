import { FRAME_SAMPLES } from "../pcm.ts";

/** Silero v5 takes 32 ms at 16 kHz. */
export const WINDOW_SAMPLES = 512;
/** Frames from before a stream's first one that warm the model up where possible. */
export const LOOKBACK_FRAMES = 3;
/** Samples skipped after a restart, so that a window ends with the frame after the lookback. */
export const RESTART_SKIP_SAMPLES = ((LOOKBACK_FRAMES + 1) * FRAME_SAMPLES) % WINDOW_SAMPLES;

/** Counts one stream's samples up to its windows; the model only looks at whole windows. */
export class WindowCount {
  #filled = 0;
  #skip = 0;

  /** Restarts as `VoiceStream.restart` does. */
  restart(): void {
    this.#filled = 0;
    this.#skip = RESTART_SKIP_SAMPLES;
  }

  /** Takes the next frame. Returns whether a window ends in it. */
  push(): boolean {
    const skipped = Math.min(this.#skip, FRAME_SAMPLES);
    this.#skip -= skipped;
    this.#filled += FRAME_SAMPLES - skipped;
    if (this.#filled < WINDOW_SAMPLES) return false;
    this.#filled -= WINDOW_SAMPLES;
    return true;
  }
}
