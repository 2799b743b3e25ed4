import { gainOf } from "../level/loudness.ts";
import { FRAME_MS, FRAME_SAMPLES } from "../pcm.ts";

/** Fade time at both ends, so that no listener notices a switch. */
export const BACKGROUND_FADE_MS = 500;
/** From the stored level of loops, -26 dBFS, to that of a room behind a voice, -46 dBFS. */
const ROOM_DB = -20;
const STEP = FRAME_MS / BACKGROUND_FADE_MS;

/** The sound of the place an agent seems to be in: a looped stream of 20 ms frames at its own volume. */
export class Background {
  readonly #full: number;
  readonly #out = new Int16Array(FRAME_SAMPLES);
  #loop: Int16Array | undefined;
  #at = 0;
  /** Current share of the full volume; `#target` is where it is heading. */
  #share = 0;
  #target = 0;

  /** `volumeDb`: 0 is -46 dBFS. */
  constructor(volumeDb: number) {
    this.#full = gainOf(ROOM_DB + volumeDb);
  }

  /** Plays `loop` from now on; until the first call there is nothing to hear. The loop must not change afterwards. */
  play(loop: Int16Array): void {
    this.#loop = loop;
  }

  /** Fades the background in or out from the next frame on. */
  turn(to: "on" | "off"): void {
    this.#target = to === "on" ? 1 : 0;
  }

  /** True if the next frame would be silent. */
  get isSilent(): boolean {
    return this.#loop === undefined || (this.#share === 0 && this.#target === 0);
  }

  /** Returns `frame` with the next 20 ms of background under it; the result stays valid until the next call. */
  under(frame: Int16Array): Int16Array {
    const loop = this.#loop;
    if (loop === undefined || this.isSilent) return frame;
    const from = this.#share;
    const to = from + Math.max(-STEP, Math.min(STEP, this.#target - from));
    const slope = ((to - from) * this.#full) / frame.length;
    let gain = from * this.#full;
    const out = this.#out;
    const count = frame.length;
    let at = this.#at;
    for (let i = 0; i < count; i++) {
      gain += slope;
      const sum = Math.round((frame[i] as number) + (loop[at] as number) * gain);
      out[i] = Math.max(-32_768, Math.min(32_767, sum));
      at += 1;
      if (at === loop.length) at = 0;
    }
    this.#at = at;
    // Twenty-five steps of 0.04 do not add up to exactly one.
    this.#share = Math.abs(to - this.#target) < STEP / 2 ? this.#target : to;
    return frame.length === FRAME_SAMPLES ? this.#out : this.#out.subarray(0, frame.length);
  }
}
