import { SampleRing } from "./sample-ring.ts";

/** One of the two channels: the caller is left, the agent right. */
export type Side = "left" | "right";

/** The content of a silent half, shared by all rings. */
let silence = new Int16Array(0);

/**
 * Two channels' samples between two positions of an endless timeline. Unwritten samples are silent. Each channel is
 * kept separately, so that a frame is one copy; they are interleaved on the way out.
 */
export class StereoRing {
  readonly #left: SampleRing;
  readonly #right: SampleRing;
  readonly #halfSamples: number;
  #start = 0;
  /** Index of `#start` in the ring. */
  #startIndex = 0;

  /** Holds twice `halfSamples`. */
  constructor(halfSamples: number) {
    this.#halfSamples = halfSamples;
    this.#left = new SampleRing(halfSamples);
    this.#right = new SampleRing(halfSamples);
    if (silence.length < halfSamples) silence = new Int16Array(halfSamples);
  }

  /** First position still held. */
  get start(): number {
    return this.#start;
  }

  /** First position beyond what can be held. */
  get end(): number {
    return this.#start + 2 * this.#halfSamples;
  }

  /** Overwrites samples. Returns how many lay outside the ring and were dropped. */
  write(side: Side, at: number, samples: Int16Array): number {
    const from = Math.max(at, this.#start);
    const to = Math.min(at + samples.length, this.end);
    if (to <= from) return samples.length;
    const kept = to - from === samples.length ? samples : samples.subarray(from - at, to - at);
    this.#ring(side).write(this.#indexOf(from), kept);
    return samples.length - kept.length;
  }

  /** Silences one side from `at` on. */
  eraseFrom(side: Side, at: number): void {
    const from = Math.max(at, this.#start);
    if (from < this.end) this.#ring(side).erase(this.#indexOf(from), this.end - from);
  }

  /** True if nobody wrote to the halves that contain the oldest `count` samples. */
  isSilent(count: number): boolean {
    const last = (this.#startIndex + count - 1) % (2 * this.#halfSamples);
    return [this.#left, this.#right].every(
      (ring) => ring.peek(this.#startIndex) === undefined && ring.peek(last) === undefined,
    );
  }

  /** Drops the oldest `count` samples, which are silent. */
  skip(count: number): void {
    this.#start += count;
    this.#startIndex = (this.#startIndex + count) % (2 * this.#halfSamples);
  }

  /** Moves the oldest `count` samples into `out`, one word per pair with left in its low half, as WAV requires. */
  shift(count: number, out: Int32Array): void {
    for (let done = 0; done < count; ) {
      const here = Math.min(count - done, this.#halfSamples - (this.#startIndex % this.#halfSamples));
      this.#take(here, done === 0 ? out : out.subarray(done));
      done += here;
    }
  }

  /** Stays within one half. */
  #take(count: number, out: Int32Array): void {
    const index = this.#startIndex;
    const from = index % this.#halfSamples;
    const left = this.#left.peek(index) ?? silence;
    const right = this.#right.peek(index) ?? silence;
    for (let i = 0; i < count; i++) {
      out[i] = ((left[from + i] as number) & 0xffff) | ((right[from + i] as number) << 16);
    }
    for (const ring of [this.#left, this.#right]) {
      ring.erase(index, count);
      if (from + count === this.#halfSamples) ring.release(index);
    }
    this.skip(count);
  }

  #ring(side: Side): SampleRing {
    return side === "left" ? this.#left : this.#right;
  }

  #indexOf(position: number): number {
    return (this.#startIndex + (position - this.#start)) % (2 * this.#halfSamples);
  }
}
