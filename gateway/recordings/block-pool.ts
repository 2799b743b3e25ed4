/** Holds a recorder's block at the default lead: 1.2 s of 16 kHz stereo. */
const BLOCK_BYTES = 80 * 1024;
/** Maximum number of free blocks to keep: 16 MB. Calls that begin together write together. */
const MAX_FREE_BLOCKS = 192;

/** Reuses buffers for blocks on their way to the disk, because memory outside the heap is expensive to collect. */
export class BlockPool {
  /** Zeros for everyone to read: most blocks of an idle call contain nothing else. */
  readonly silence: Buffer = Buffer.alloc(BLOCK_BYTES);
  readonly #free: Buffer[] = [];

  /** Returns a buffer of at least `bytes` with arbitrary content. */
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
