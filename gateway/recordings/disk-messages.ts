/** Size of a block of memory shared with the disk's thread. Holds a recorder's block at the default lead: 1.2 s of 16 kHz stereo. */
export const BLOCK_BYTES = 80 * 1024;

/** A write of a batch: the first `length` bytes of a block, or zeros. */
export interface DiskWrite {
  readonly fd: number;
  readonly offset: number;
  readonly length: number;
  /** Undefined for zeros. */
  readonly block: number | undefined;
}

/** What is to be written, in this order. */
export interface DiskBatch {
  /** Blocks that later writes name by their numbers. */
  readonly added: readonly { readonly block: number; readonly memory: SharedArrayBuffer }[];
  /** Blocks that no write names any more. */
  readonly removed: readonly number[];
  readonly writes: readonly DiskWrite[];
}

/** The writes that failed, by their places in the batch. After a file's first failure nothing more of the batch is written to it. */
export interface DiskAnswer {
  readonly failures: readonly {
    readonly at: number;
    readonly code: string | undefined;
    readonly message: string;
  }[];
}
