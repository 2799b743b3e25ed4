/** 0.5 s at 16 kHz. */
export const BLOCK_SAMPLES = 8_000;
/** Blocks kept for the next answer: 32 MB. */
const MAX_FREE = 2_048;
const free: Int16Array[] = [];

/**
 * Blocks of samples, used again and again. What waits for the loudspeaker waits for seconds: as fresh
 * arrays it outlives the cheap collections, and a node full of calls collects its whole heap every 3 s.
 */
export function takeBlock(): Int16Array {
  return free.pop() ?? new Int16Array(BLOCK_SAMPLES);
}

/** The block must not be used afterwards. */
export function giveBackBlock(block: Int16Array): void {
  if (free.length < MAX_FREE) free.push(block);
}
