import { SampleQueue } from "@parley/media/pacer/sample-queue.ts";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";

const MIN_WAIT_FRAMES = 3;
/** Enough for messages of 100 ms, the longest a client sends. */
const MAX_WAIT_FRAMES = 6;
/** Nothing for longer than this is a pause, and nothing of it was late: who is muted may stop sending. */
const MAX_LATE_FRAMES = 25;
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
  /** Frames it could not give since it ran dry. */
  #missing: number | undefined;
  #late = 0;
  #lost = 0;

  /** How much waits now, rounded to whole frames. */
  get bufferedMs(): number {
    return Math.round(this.#queue.length / FRAME_SAMPLES) * FRAME_MS;
  }

  /** Frames that were not there when they were due, and that were pushed out, since the last time it was asked. */
  takeCounts(): { lateFrames: number; lostFrames: number } {
    const counts = { lateFrames: this.#late, lostFrames: this.#lost };
    this.#late = 0;
    this.#lost = 0;
    return counts;
  }

  /** Audio of any length; `samples` may be reused afterwards. */
  push(samples: Int16Array): void {
    this.#queue.push(samples.slice());
    if (this.#queue.length <= MAX_FRAMES * FRAME_SAMPLES) return;
    while (this.#queue.length > this.#waitFrames * FRAME_SAMPLES) {
      this.#queue.take(this.#surplus);
      this.#lost += 1;
    }
  }

  /** The next frame, a new array; undefined while there is none. Called every 20 ms. */
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
    // The end of what somebody said may be shorter than the wait.
    const isFull = this.#queue.length >= this.#waitFrames * FRAME_SAMPLES;
    if (!isFull && this.#waited <= this.#waitFrames) return false;
    this.#waited = 0;
    this.#isFlowing = true;
    if (this.#missing !== undefined && this.#missing <= MAX_LATE_FRAMES) this.#late += this.#missing;
    this.#missing = undefined;
    return true;
  }
}
