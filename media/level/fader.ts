import { FRAME_SAMPLES } from "../pcm.ts";

/**
 * Changes the volume of one stream of 20 ms frames without a click, by spreading each change over one frame. Frames at
 * full volume pass through unchanged.
 */
export class Fader {
  #gain = 1;
  #target = 1;
  readonly #out = new Int16Array(FRAME_SAMPLES);

  /** Fades to `gain` (0 to 1) with the next frame. */
  fadeTo(gain: number): void {
    this.#target = gain;
  }

  /** Returns to full volume at once, for a stream that begins. */
  reset(): void {
    this.#gain = 1;
    this.#target = 1;
  }

  /** Returns the frame at the current volume; the result stays valid until the next call. */
  apply(frame: Int16Array): Int16Array {
    const from = this.#gain;
    const to = this.#target;
    if (from === 1 && to === 1) return frame;
    const step = (to - from) / frame.length;
    for (let i = 0; i < frame.length; i++) {
      this.#out[i] = Math.round((frame[i] as number) * (from + step * (i + 1)));
    }
    this.#gain = to;
    return frame.length === FRAME_SAMPLES ? this.#out : this.#out.subarray(0, frame.length);
  }
}
