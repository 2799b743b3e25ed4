import { BLOCK_SAMPLES, giveBackBlock, takeBlock } from "@parley/media/sample-blocks.ts";

/** An answer's audio from the first sample still kept to the last one written, in blocks of a shared pool. */
export class ReplyAudio {
  #blocks: Int16Array[] = [];
  #start = 0;
  #end = 0;

  /** Position of the first sample still kept. */
  get start(): number {
    return this.#start;
  }

  /** Position after the last sample written. */
  get end(): number {
    return this.#end;
  }

  /** Appends a copy. */
  write(samples: Int16Array): void {
    for (let done = 0; done < samples.length; ) {
      const at = (this.#end - this.#start) % BLOCK_SAMPLES;
      if (at === 0) this.#blocks.push(takeBlock());
      const count = Math.min(samples.length - done, BLOCK_SAMPLES - at);
      const isWhole = count === samples.length;
      this.#blocks.at(-1)?.set(isWhole ? samples : samples.subarray(done, done + count), at);
      done += count;
      this.#end += count;
    }
  }

  /** Reads up to `maxSamples` from position `at` in place: the samples change once they are forgotten. */
  read(at: number, maxSamples: number): Int16Array | undefined {
    if (at < this.#start || at >= this.#end) return undefined;
    const block = this.#blocks[Math.floor((at - this.#start) / BLOCK_SAMPLES)];
    const from = (at - this.#start) % BLOCK_SAMPLES;
    return block?.subarray(from, from + Math.min(maxSamples, BLOCK_SAMPLES - from, this.#end - at));
  }

  /** Frees the blocks that end before position `before`. */
  forget(before: number): void {
    while (this.#blocks.length > 0 && this.#start + BLOCK_SAMPLES <= Math.min(before, this.#end)) {
      const block = this.#blocks.shift();
      if (block) giveBackBlock(block);
      this.#start += BLOCK_SAMPLES;
    }
  }

  /** Frees everything; the next write begins at position `at`. */
  restart(at: number): void {
    for (const block of this.#blocks) giveBackBlock(block);
    this.#blocks = [];
    this.#start = at;
    this.#end = at;
  }
}
