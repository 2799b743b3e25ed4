/**
 * One channel's samples between two positions of an endless timeline. What nobody wrote is silence.
 */
export class SampleRing {
  readonly #samples: Int16Array;
  #start = 0;

  constructor(capacitySamples: number) {
    this.#samples = new Int16Array(capacitySamples);
  }

  /** First position still held. */
  get start(): number {
    return this.#start;
  }

  /** First position beyond what can be held. */
  get end(): number {
    return this.#start + this.#samples.length;
  }

  /** Writes over what was there; returns how many samples lay outside and were dropped. */
  write(at: number, samples: Int16Array): number {
    const from = Math.max(at, this.#start);
    const to = Math.min(at + samples.length, this.end);
    for (let position = from; position < to; position++) {
      this.#samples[position % this.#samples.length] = samples[position - at] as number;
    }
    return samples.length - Math.max(0, to - from);
  }

  /** Makes everything from `at` on silent again. */
  eraseFrom(at: number): void {
    for (let position = Math.max(at, this.#start); position < this.end; position++) {
      this.#samples[position % this.#samples.length] = 0;
    }
  }

  /** Moves the oldest `count` samples into every second place of `out`, beginning at `offset`. */
  takeInterleaved(count: number, out: Int16Array, offset: 0 | 1): void {
    for (let i = 0; i < count; i++) {
      const index = (this.#start + i) % this.#samples.length;
      out[2 * i + offset] = this.#samples[index] as number;
      this.#samples[index] = 0;
    }
    this.#start += count;
  }
}
