/** Holds a recorder's block at the default lead: 1.2 s of 16 kHz stereo. */
const BLOCK_BYTES = 80 * 1024;
/** Blocks kept for the next write: 16 MB. Calls that began together write together. */
const MAX_FREE_BLOCKS = 192;

/** Buffers for blocks on their way to the disk, used again and again: memory outside the heap is dear to collect. */
export class BlockPool {
  /** Zeros, for everybody to read: most blocks of an idle call are nothing else. */
  readonly silence: Buffer = Buffer.alloc(BLOCK_BYTES);
  readonly #free: Buffer[] = [];

  /** A buffer of `bytes` or more, with anything in it. */
  take(bytes: number): Buffer {
    if (bytes > BLOCK_BYTES) return Buffer.allocUnsafeSlow(bytes);
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  }

  /** The buffer must not be used afterwards. */
  giveBack(block: Buffer): void {
    if (block !== this.silence && block.length === BLOCK_BYTES && this.#free.length < MAX_FREE_BLOCKS)
      this.#free.push(block);
  }
}
