import { SampleQueue } from "@parley/media/pacer/sample-queue.ts";
import { FRAME_SAMPLES } from "@parley/media/pcm.ts";

const MIN_WAIT_FRAMES = 3;
/** Enough for messages of 100 ms, the longest a client sends. */
const MAX_WAIT_FRAMES = 6;
/** More than this is not kept: what is old makes a conversation slow. */
const MAX_FRAMES = 15;

/**
 * Frames of 20 ms out of audio that arrives unevenly. It waits a little before it gives the first one, and longer
 * once it ran dry; what comes on top of 300 ms pushes the oldest out.
 */
export class JitterBuffer {
  readonly #queue = new SampleQueue();
  readonly #surplus = new Int16Array(FRAME_SAMPLES);
  #waitFrames = MIN_WAIT_FRAMES;
  #waited = 0;
  #isFlowing = false;

  /** Audio of any length; `samples` may be reused afterwards. */
  push(samples: Int16Array): void {
    this.#queue.push(samples.slice());
    if (this.#queue.length <= MAX_FRAMES * FRAME_SAMPLES) return;
    while (this.#queue.length > this.#waitFrames * FRAME_SAMPLES) this.#queue.take(this.#surplus);
  }

  /** The next frame, a new array; undefined while there is none. Called every 20 ms. */
  next(): Int16Array | undefined {
    if (!this.#isFlowing && !this.#maySetOut()) return undefined;
    if (this.#queue.length === 0) {
      this.#isFlowing = false;
      this.#waitFrames = Math.min(this.#waitFrames + 1, MAX_WAIT_FRAMES);
      return undefined;
    }
    const frame = new Int16Array(FRAME_SAMPLES);
    this.#queue.take(frame);
    return frame;
  }

  #maySetOut(): boolean {
    if (this.#queue.length === 0) return false;
    this.#waited += 1;
    // The end of what somebody said may be shorter than the wait.
    const isFull = this.#queue.length >= this.#waitFrames * FRAME_SAMPLES;
    if (!isFull && this.#waited <= this.#waitFrames) return false;
    this.#waited = 0;
    this.#isFlowing = true;
    return true;
  }
}
