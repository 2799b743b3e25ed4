import { AppError } from "@parley/shared/errors.ts";

/** Pages of an Ogg stream (RFC 3533). */

const HEADER_BYTES = 27;
const MAX_SEGMENTS = 255;
const FULL_SEGMENT = 255;
/** Flags of a page that continues a packet, begins the stream, or ends it. */
const CONTINUED = 1;
const FIRST = 2;
const LAST = 4;
/** Position of a page on which no packet ends. */
const NO_POSITION = 0xffff_ffff_ffff_ffffn;

export interface PagePlace {
  /** Identifies the stream within its file. */
  readonly serial: number;
  readonly sequence: number;
  /** Samples at 48 kHz up to the end of the page. */
  readonly position: number;
  readonly isFirst?: boolean;
  readonly isLast?: boolean;
}

/** Writes a page of whole packets. Throws if they do not fit: 255 segments of 255 bytes. */
export function writePage(packets: readonly Uint8Array[], place: PagePlace): Uint8Array {
  const segments = packets.flatMap(segmentsOf);
  if (segments.length > MAX_SEGMENTS) throw new Error(`${segments.length} segments do not fit into a page`);
  return assemble(segments, packets, place);
}

/** Writes one packet on pages of its own, as many as it takes. `isFirst`: the packet begins the stream. */
export function writePages(
  packet: Uint8Array,
  { serial, sequence, isFirst = false }: Omit<PagePlace, "position" | "isLast">,
): Uint8Array[] {
  const segments = segmentsOf(packet);
  const pages: Uint8Array[] = [];
  for (let at = 0; at < segments.length; at += MAX_SEGMENTS) {
    const isWhole = at + MAX_SEGMENTS >= segments.length;
    const part = packet.subarray(at * FULL_SEGMENT, (at + MAX_SEGMENTS) * FULL_SEGMENT);
    pages.push(
      assemble(
        segments.slice(at, at + MAX_SEGMENTS),
        [part],
        {
          ...{ serial, sequence: sequence + pages.length, position: isWhole ? 0 : undefined },
          isFirst: isFirst && at === 0,
        },
        at > 0,
      ),
    );
  }
  return pages;
}

/** Lengths of a packet's segments; the last is shorter than a full one, which marks the packet's end. */
function segmentsOf(packet: Uint8Array): number[] {
  const full = Math.floor(packet.length / FULL_SEGMENT);
  return [...new Array<number>(full).fill(FULL_SEGMENT), packet.length % FULL_SEGMENT];
}

function assemble(
  segments: readonly number[],
  parts: readonly Uint8Array[],
  place: Omit<PagePlace, "position"> & { readonly position: number | undefined },
  isContinued = false,
): Uint8Array {
  const bodyAt = HEADER_BYTES + segments.length;
  const page = new Uint8Array(bodyAt + segments.reduce((sum, length) => sum + length, 0));
  const view = new DataView(page.buffer);
  page.set(Buffer.from("OggS"));
  page[5] = (isContinued ? CONTINUED : 0) | (place.isFirst ? FIRST : 0) | (place.isLast ? LAST : 0);
  view.setBigUint64(6, place.position === undefined ? NO_POSITION : BigInt(place.position), true);
  view.setUint32(14, place.serial, true);
  view.setUint32(18, place.sequence, true);
  page[26] = segments.length;
  page.set(segments, HEADER_BYTES);
  let at = bodyAt;
  for (const part of parts) {
    page.set(part, at);
    at += part.length;
  }
  view.setUint32(22, checksum(page), true);
  return page;
}

export interface Page {
  /** Size of the page itself. */
  readonly bytes: number;
  readonly position: bigint;
  /** The page's packets; the last one may continue on the next page. */
  readonly packets: readonly Uint8Array[];
  readonly isLastOpen: boolean;
}

/** Reads the page that begins at `at`. Throws `AppError` unavailable if it is damaged or no page. */
export function readPage(file: Uint8Array, at: number): Page {
  const damaged = (): AppError => new AppError("unavailable", "The recording's file is damaged.");
  const view = new DataView(file.buffer, file.byteOffset + at, Math.max(0, file.length - at));
  if (view.byteLength < HEADER_BYTES || view.getUint32(0) !== 0x4f676753) throw damaged();
  const count = view.getUint8(26);
  const lengths = file.subarray(at + HEADER_BYTES, at + HEADER_BYTES + count);
  const bytes = HEADER_BYTES + count + lengths.reduce((sum, length) => sum + length, 0);
  if (bytes > view.byteLength) throw damaged();
  // Copies, because a slice of a Buffer shares its memory.
  const page = Uint8Array.from(file.subarray(at, at + bytes));
  page.fill(0, 22, 26);
  if (checksum(page) !== view.getUint32(22, true)) throw damaged();
  const packets: Uint8Array[] = [];
  let begin = HEADER_BYTES + count;
  let end = begin;
  for (const length of lengths) {
    end += length;
    if (length === FULL_SEGMENT) continue;
    packets.push(page.subarray(begin, end));
    begin = end;
  }
  if (end > begin) packets.push(page.subarray(begin, end));
  return {
    bytes,
    position: view.getBigUint64(6, true),
    packets,
    isLastOpen: lengths.at(-1) === FULL_SEGMENT,
  };
}

/** The CRC of RFC 3533: 0x04c11db7, neither reflected nor inverted. */
function checksum(page: Uint8Array): number {
  let crc = 0;
  for (const byte of page) crc = ((crc << 8) ^ (CRCS[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return crc;
}

const CRCS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000_0000 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1;
  return crc >>> 0;
});
