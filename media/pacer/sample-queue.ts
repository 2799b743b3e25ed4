/** A FIFO queue of sample chunks. It keeps chunks without copying: they must not change while they wait. */
export class SampleQueue {
  #chunks: Int16Array[] = [];
  #firstChunk = 0;
  #readInFirst = 0;
  #length = 0;

  /** Number of samples waiting. */
  get length(): number {
    return this.#length;
  }

  push(samples: Int16Array): void {
    if (samples.length === 0) return;
    this.#chunks.push(samples);
    this.#length += samples.length;
  }

  /** Moves up to `out.length` samples into `out`. Returns how many. */
  take(out: Int16Array): number {
    let taken = 0;
    while (taken < out.length) {
      const chunk = this.#chunks[this.#firstChunk];
      if (chunk === undefined) break;
      const count = Math.min(out.length - taken, chunk.length - this.#readInFirst);
      const isWhole = this.#readInFirst === 0 && count === chunk.length;
      const piece = isWhole ? chunk : chunk.subarray(this.#readInFirst, this.#readInFirst + count);
      out.set(piece, taken);
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
    // Once half of the list is spent, moving the rest costs each chunk one move on average.
    if (this.#firstChunk * 2 < this.#chunks.length) return;
    this.#chunks.splice(0, this.#firstChunk);
    this.#firstChunk = 0;
  }
}
