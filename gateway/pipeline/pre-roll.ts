import { FRAME_SAMPLES } from "@parley/media/pcm.ts";

/** The last few frames heard, in a ring that is allocated once. */
export class PreRoll {
  readonly #frames: Int16Array;
  readonly #capacity: number;
  #next = 0;
  #count = 0;

  constructor(capacityFrames: number) {
    this.#capacity = capacityFrames;
    this.#frames = new Int16Array(capacityFrames * FRAME_SAMPLES);
  }

  push(frame: Int16Array): void {
    this.#frames.set(frame, this.#next * FRAME_SAMPLES);
    this.#next = (this.#next + 1) % this.#capacity;
    this.#count = Math.min(this.#count + 1, this.#capacity);
  }

  /** Gives the frames back, oldest first, and forgets them. */
  drain(take: (frame: Int16Array) => void): void {
    const first = (this.#next - this.#count + this.#capacity) % this.#capacity;
    for (let i = 0; i < this.#count; i++) {
      const at = ((first + i) % this.#capacity) * FRAME_SAMPLES;
      take(this.#frames.subarray(at, at + FRAME_SAMPLES));
    }
    this.#count = 0;
  }
}
