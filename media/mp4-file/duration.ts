/** MP4 files (ISO/IEC 14496-12), as phones record voice messages in. */

const HEADER_BYTES = 8;
const SIZE_BYTES = 4;
/** All ones: the length is unknown. */
const UNKNOWN = 0xffff_ffff;
/** A size of 1: the real one follows as 64 bits. */
const LARGE = 1;

/** Length of an MP4 file's sound in ms, from its movie header; undefined for anything that has none. */
export function mp4DurationMs(file: Uint8Array): number | undefined {
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const movie = contentOf("moov", bytes);
  const header = movie && contentOf("mvhd", movie);
  if (!header || header.byteLength < 1) return undefined;
  // Version 1 has times of 64 bits: created, modified, then the timescale and the duration.
  const isLong = header.getUint8(0) === 1;
  const at = isLong ? 20 : 12;
  if (header.byteLength < at + (isLong ? 12 : 8)) return undefined;
  const perSec = header.getUint32(at);
  const units = isLong ? Number(header.getBigUint64(at + 4)) : header.getUint32(at + 4);
  return perSec === 0 || units === 0 || units >= UNKNOWN ? undefined : (units * 1_000) / perSec;
}

/** The content of the first box of a type. */
function contentOf(type: string, boxes: DataView): DataView | undefined {
  let at = 0;
  while (at + HEADER_BYTES <= boxes.byteLength) {
    const short = boxes.getUint32(at);
    const isLarge = short === LARGE && at + 2 * HEADER_BYTES <= boxes.byteLength;
    const size = isLarge ? Number(boxes.getBigUint64(at + HEADER_BYTES)) : short;
    const header = isLarge ? 2 * HEADER_BYTES : HEADER_BYTES;
    // A size of 0 extends to the end, and no box of such a file is read in parts.
    const end = size === 0 ? boxes.byteLength : at + size;
    if (end < at + header || end > boxes.byteLength) return undefined;
    if (nameAt(boxes, at + SIZE_BYTES) === type)
      return new DataView(boxes.buffer, boxes.byteOffset + at + header, end - at - header);
    at = end;
  }
  return undefined;
}

function nameAt(boxes: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((i) => boxes.getUint8(at + i)));
}
