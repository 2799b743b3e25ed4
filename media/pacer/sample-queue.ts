/** Chunks of samples, first in, first out. A chunk is copied once when it comes in. */
export class SampleQueue {
  #chunks: Int16Array[] = [];
  #firstChunk = 0;
  #readInFirst = 0;
  #length = 0;

  /** Samples waiting. */
  get length(): number {
    return this.#length;
  }

  push(samples: Int16Array): void {
    if (samples.length === 0) return;
    this.#chunks.push(samples.slice());
    this.#length += samples.length;
  }

  /** Moves up to `out.length` samples into `out`; returns how many. */
  take(out: Int16Array): number {
    let taken = 0;
    while (taken < out.length) {
      const chunk = this.#chunks[this.#firstChunk];
      if (chunk === undefined) break;
      const count = Math.min(out.length - taken, chunk.length - this.#readInFirst);
      for (let i = 0; i < count; i++) out[taken + i] = chunk[this.#readInFirst + i] as number;
      taken += count;
      this.#readInFirst += count;
      if (this.#readInFirst === chunk.length) this.#dropFirst();
    }
    this.#length -= taken;
    return taken;
  }

  clear(): void {
    this.#chunks = [];
    this.#firstChunk = 0;
    this.#readInFirst = 0;
    this.#length = 0;
  }

  #dropFirst(): void {
    this.#readInFirst = 0;
    this.#firstChunk++;
    // Half of the list is spent: moving the rest now costs each chunk one move on average.
    if (this.#firstChunk * 2 < this.#chunks.length) return;
    this.#chunks.splice(0, this.#firstChunk);
    this.#firstChunk = 0;
  }
}
