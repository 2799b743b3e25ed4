import { SampleQueue } from "@parley/media/pacer/sample-queue.ts";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";

const MIN_WAIT_FRAMES = 3;
/** Enough for messages of 100 ms, the longest a client sends. */
const MAX_WAIT_FRAMES = 6;
/** A longer gap is a pause rather than late audio: a muted sender may stop sending. */
const MAX_LATE_FRAMES = 25;
/** Maximum number of frames kept; old audio makes a conversation slow. */
const MAX_FRAMES = 15;

/**
 * Turns unevenly arriving audio into 20 ms frames. Waits briefly before the first frame, and longer after each
 * underrun; audio beyond 300 ms pushes out the oldest.
 */
export class JitterBuffer {
  readonly #queue = new SampleQueue();
  readonly #surplus = new Int16Array(FRAME_SAMPLES);
  #waitFrames = MIN_WAIT_FRAMES;
  #waited = 0;
  #isFlowing = false;
  /** Frames missing since the buffer ran dry. */
  #missing: number | undefined;
  #late = 0;
  #lost = 0;

  /** Buffered audio, rounded to whole frames. */
  get bufferedMs(): number {
    return Math.round(this.#queue.length / FRAME_SAMPLES) * FRAME_MS;
  }

  /** Frames that were missing when due, and frames that were pushed out, since the previous call of this method. */
  takeCounts(): { lateFrames: number; lostFrames: number } {
    const counts = { lateFrames: this.#late, lostFrames: this.#lost };
    this.#late = 0;
    this.#lost = 0;
    return counts;
  }

  /** Takes audio of any length; `samples` may be reused afterwards. */
  push(samples: Int16Array): void {
    this.#queue.push(samples.slice());
    if (this.#queue.length <= MAX_FRAMES * FRAME_SAMPLES) return;
    while (this.#queue.length > this.#waitFrames * FRAME_SAMPLES) {
      this.#queue.take(this.#surplus);
      this.#lost += 1;
    }
  }

  /** Returns the next frame as a new array, or undefined if there is none. Called every 20 ms. */
  next(): Int16Array | undefined {
    if (!this.#isFlowing && !this.#maySetOut()) {
      if (this.#missing !== undefined) this.#missing += 1;
      return undefined;
    }
    if (this.#queue.length === 0) {
      this.#isFlowing = false;
      this.#missing = 1;
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
    // The end of an utterance may be shorter than the wait.
    const isFull = this.#queue.length >= this.#waitFrames * FRAME_SAMPLES;
    if (!isFull && this.#waited <= this.#waitFrames) return false;
    this.#waited = 0;
    this.#isFlowing = true;
    if (this.#missing !== undefined && this.#missing <= MAX_LATE_FRAMES) this.#late += this.#missing;
    this.#missing = undefined;
    return true;
  }
}
