import { FRAME_SAMPLES } from "@parley/media/pcm.ts";

/** The last few frames heard, in a ring that is allocated once, with the first frame. */
export class PreRoll {
  #frames: Int16Array | undefined;
  readonly #capacity: number;
  #next = 0;
  #count = 0;

  constructor(capacityFrames: number) {
    this.#capacity = capacityFrames;
  }

  push(frame: Int16Array): void {
    this.#frames ??= new Int16Array(this.#capacity * FRAME_SAMPLES);
    this.#frames.set(frame, this.#next * FRAME_SAMPLES);
    this.#next = (this.#next + 1) % this.#capacity;
    this.#count = Math.min(this.#count + 1, this.#capacity);
  }

  /** Passes the frames to `take`, oldest first, and forgets them. */
  drain(take: (frame: Int16Array) => void): void {
    this.each(take);
    this.#count = 0;
  }

  /** Passes the frames to `take`, oldest first. */
  each(take: (frame: Int16Array) => void): void {
    if (!this.#frames) return;
    const first = (this.#next - this.#count + this.#capacity) % this.#capacity;
    for (let i = 0; i < this.#count; i++) {
      const at = ((first + i) % this.#capacity) * FRAME_SAMPLES;
      take(this.#frames.subarray(at, at + FRAME_SAMPLES));
    }
  }
}
