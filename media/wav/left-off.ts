/** The header that `WavWriter` writes: one `fmt ` and one `data` chunk. */
export const WAV_HEADER_BYTES = 44;
const RIFF_SIZE_OFFSET = 4;
const BYTE_RATE_OFFSET = 28;
const BLOCK_BYTES_OFFSET = 32;
const DATA_SIZE_OFFSET = 40;

/** The usable part of a recording that broke off. */
export interface LeftOffWav {
  /** The header with the correct sizes. */
  readonly header: Uint8Array;
  /** Size of the file without a partially written sample. */
  readonly fileBytes: number;
  readonly durationMs: number;
}

/**
 * Updates the header of a recording whose writer died to the size of its file. Undefined if nothing playable was
 * written.
 */
export function finishLeftOffWav(header: Uint8Array, fileBytes: number): LeftOffWav | undefined {
  if (header.length < WAV_HEADER_BYTES || fileBytes < WAV_HEADER_BYTES) return undefined;
  const finished = Uint8Array.from(header.subarray(0, WAV_HEADER_BYTES));
  const view = new DataView(finished.buffer);
  const blockBytes = view.getUint16(BLOCK_BYTES_OFFSET, true);
  const bytesPerSecond = view.getUint32(BYTE_RATE_OFFSET, true);
  if (blockBytes === 0 || bytesPerSecond === 0) return undefined;
  const audioBytes = fileBytes - WAV_HEADER_BYTES;
  const dataBytes = audioBytes - (audioBytes % blockBytes);
  view.setUint32(RIFF_SIZE_OFFSET, dataBytes + WAV_HEADER_BYTES - 8, true);
  view.setUint32(DATA_SIZE_OFFSET, dataBytes, true);
  const durationMs = Math.round((dataBytes / bytesPerSecond) * 1000);
  return { header: finished, fileBytes: WAV_HEADER_BYTES + dataBytes, durationMs };
}
