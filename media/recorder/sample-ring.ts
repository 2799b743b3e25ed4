import { giveBackSilent, takeSilent } from "./half-pool.ts";

/**
 * One channel's ring of two halves. An unwritten half takes no memory: most of a call is one side's silence, and a
 * thousand idle calls are nothing else.
 */
export class SampleRing {
  readonly #halfSamples: number;
  readonly #halves: [Int16Array | undefined, Int16Array | undefined] = [undefined, undefined];

  constructor(halfSamples: number) {
    this.#halfSamples = halfSamples;
  }

  /** Writes from `index` on, wrapping at the end if necessary; at most the ring's length. */
  write(index: number, samples: Int16Array): void {
    let done = 0;
    while (done < samples.length) {
      const at = (index + done) % (2 * this.#halfSamples);
      const from = at % this.#halfSamples;
      const count = Math.min(samples.length - done, this.#halfSamples - from);
      const isWhole = count === samples.length;
      this.#halfAt(at).set(isWhole ? samples : samples.subarray(done, done + count), from);
      done += count;
    }
  }

  /** Silences `count` samples from `index` on. */
  erase(index: number, count: number): void {
    for (let done = 0; done < count; ) {
      const at = (index + done) % (2 * this.#halfSamples);
      const from = at % this.#halfSamples;
      const here = Math.min(count - done, this.#halfSamples - from);
      this.#halves[at < this.#halfSamples ? 0 : 1]?.fill(0, from, from + here);
      done += here;
    }
  }

  /** The half that contains `index`; undefined while that half is silent. */
  peek(index: number): Int16Array | undefined {
    return this.#halves[index < this.#halfSamples ? 0 : 1];
  }

  /** Frees the half that contains `index`; all of it must have been erased. */
  release(index: number): void {
    const which = index < this.#halfSamples ? 0 : 1;
    const half = this.#halves[which];
    if (half) giveBackSilent(half);
    this.#halves[which] = undefined;
  }

  #halfAt(index: number): Int16Array {
    const which = index < this.#halfSamples ? 0 : 1;
    this.#halves[which] ??= takeSilent(this.#halfSamples);
    return this.#halves[which];
  }
}
