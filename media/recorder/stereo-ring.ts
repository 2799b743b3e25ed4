/** One of the two channels: the caller is left, the agent right. */
export type Side = "left" | "right";

/**
 * Two channels' samples between two positions of an endless timeline. What nobody wrote is silence.
 * Each channel is kept on its own, so that a frame is one copy; they are interleaved when taken out.
 */
export class StereoRing {
  readonly #left: Int16Array;
  readonly #right: Int16Array;
  readonly #capacity: number;
  #start = 0;
  /** Index of `#start` in the ring. */
  #startIndex = 0;

  constructor(capacitySamples: number) {
    this.#capacity = capacitySamples;
    this.#left = new Int16Array(capacitySamples);
    this.#right = new Int16Array(capacitySamples);
  }

  /** First position still held. */
  get start(): number {
    return this.#start;
  }

  /** First position beyond what can be held. */
  get end(): number {
    return this.#start + this.#capacity;
  }

  /** Writes over what was there; returns how many samples lay outside and were dropped. */
  write(side: Side, at: number, samples: Int16Array): number {
    const from = Math.max(at, this.#start);
    const to = Math.min(at + samples.length, this.end);
    if (to <= from) return samples.length;
    const ring = this.#ring(side);
    const kept = to - from === samples.length ? samples : samples.subarray(from - at, to - at);
    const index = this.#indexOf(from);
    const room = this.#capacity - index;
    if (kept.length <= room) ring.set(kept, index);
    else {
      ring.set(kept.subarray(0, room), index);
      ring.set(kept.subarray(room));
    }
    return samples.length - kept.length;
  }

  /** Makes one side silent from `at` on. */
  eraseFrom(side: Side, at: number): void {
    const from = Math.max(at, this.#start);
    if (from >= this.end) return;
    const ring = this.#ring(side);
    const index = this.#indexOf(from);
    if (index < this.#startIndex) ring.fill(0, index, this.#startIndex);
    else {
      ring.fill(0, index);
      ring.fill(0, 0, this.#startIndex);
    }
  }

  /** Moves the oldest `count` samples into `out`, a word a pair: left in its low half, as WAV wants it. */
  shift(count: number, out: Int32Array): void {
    const first = Math.min(count, this.#capacity - this.#startIndex);
    this.#take(this.#startIndex, first, out);
    if (count > first) this.#take(0, count - first, out.subarray(first));
    this.#start += count;
    this.#startIndex = (this.#startIndex + count) % this.#capacity;
  }

  #take(index: number, count: number, out: Int32Array): void {
    const left = this.#left.subarray(index, index + count);
    const right = this.#right.subarray(index, index + count);
    for (let i = 0; i < count; i++) out[i] = ((left[i] as number) & 0xffff) | ((right[i] as number) << 16);
    left.fill(0);
    right.fill(0);
  }

  #ring(side: Side): Int16Array {
    return side === "left" ? this.#left : this.#right;
  }

  #indexOf(position: number): number {
    const index = this.#startIndex + (position - this.#start);
    return index < this.#capacity ? index : index - this.#capacity;
  }
}
