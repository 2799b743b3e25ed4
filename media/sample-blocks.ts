/** 0.5 s at 16 kHz. */
export const BLOCK_SAMPLES = 8_000;
/** Maximum number of free blocks to keep: 32 MB. */
const MAX_FREE = 2_048;
const free: Int16Array[] = [];

/**
 * Reuses blocks of samples. Audio that waits for the loudspeaker waits for seconds: fresh arrays would outlive the
 * cheap collections, and a full node would collect its whole heap every 3 s.
 */
export function takeBlock(): Int16Array {
  return free.pop() ?? new Int16Array(BLOCK_SAMPLES);
}

/** The block must not be used afterwards. */
export function giveBackBlock(block: Int16Array): void {
  if (free.length < MAX_FREE) free.push(block);
}
