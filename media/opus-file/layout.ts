import { AppError } from "@parley/shared/errors.ts";
import { PCM_RATE_HZ } from "../pcm.ts";
import { readPage, writePages } from "./pages.ts";

/**
 * Ogg Opus with two independent channels (RFC 7845, mapping family 1 with two uncoupled streams): the agent's voice is
 * not heard on the caller's side. A page holds one second, and a comment holds the lengths of all pages, so that
 * playing the middle only needs the beginning and the middle.
 */

export const FRAMES_PER_PAGE = 50;
/** Size of the beginning of a file that contains its headers, even for the longest call kept in this format. */
export const HEAD_BYTES = 64 * 1024;
/** Opus counts in samples of 48 kHz, whatever its input rate. */
export const CLOCK = 48_000 / PCM_RATE_HZ;
const CHANNELS = 2;
const VENDOR = "Parley";

/** Where everything is in a file. */
export interface Layout {
  /** Samples per channel, at 16 kHz. */
  readonly samples: number;
  /** Samples decoded before the first sample of the sound. */
  readonly delaySamples: number;
  /** Offset of each page of sound, and the end of the last one. */
  readonly pageAt: readonly number[];
}

/** Writes the pages before the sound. */
export function writeHead({
  serial,
  samples,
  delaySamples,
  pageBytes,
}: Pick<Layout, "samples" | "delaySamples"> & {
  serial: number;
  pageBytes: readonly number[];
}): Uint8Array[] {
  const head = Buffer.alloc(21 + CHANNELS);
  head.write("OpusHead");
  head[8] = 1;
  head[9] = CHANNELS;
  head.writeUInt16LE(delaySamples * CLOCK, 10);
  head.writeUInt32LE(PCM_RATE_HZ, 12);
  // Mapping family 1 with two mono streams.
  head.set([1, 2, 0, 0, 1], 18);
  const lengths = Buffer.alloc(2 * pageBytes.length);
  for (const [page, bytes] of pageBytes.entries()) lengths.writeUInt16LE(bytes, 2 * page);
  const tags = writeTags([`SAMPLES=${samples}`, `PAGES=${lengths.toString("base64")}`]);
  const first = writePages(head, { serial, sequence: 0, isFirst: true });
  return [...first, ...writePages(tags, { serial, sequence: 1 })];
}

/** Writes the packet of comments, `NAME=value` each. */
export function writeTags(comments: readonly string[]): Uint8Array {
  const head = [Buffer.from("OpusTags"), ...counted(VENDOR), uint32(comments.length)];
  return Buffer.concat([...head, ...comments.flatMap(counted)]);
}

/** Reads a file's beginning (`HEAD_BYTES` of it, or all). Throws `AppError` unavailable if the file is not ours. */
export function readLayout(beginning: Uint8Array): Layout {
  const first = readPage(beginning, 0);
  const head = Buffer.from(first.packets[0] ?? []);
  let at = first.bytes;
  const parts: Uint8Array[] = [];
  for (let isOpen = true; isOpen; ) {
    const page = readPage(beginning, at);
    parts.push(...page.packets);
    isOpen = page.isLastOpen;
    at += page.bytes;
  }
  const comments = readComments(Buffer.concat(parts));
  const lengths = Buffer.from(comments.get("PAGES") ?? "", "base64");
  const samples = Number(comments.get("SAMPLES"));
  if (head.toString("latin1", 0, 8) !== "OpusHead" || !Number.isSafeInteger(samples))
    throw new AppError("unavailable", "The recording's file is damaged.");
  const pageAt = [at];
  for (let index = 0; index < lengths.length; index += 2) {
    at += lengths.readUInt16LE(index);
    pageAt.push(at);
  }
  return { samples, delaySamples: head.readUInt16LE(10) / CLOCK, pageAt };
}

function readComments(tags: Buffer): Map<string, string> {
  const comments = new Map<string, string>();
  let at = 12 + tags.readUInt32LE(8);
  const count = tags.readUInt32LE(at);
  at += 4;
  for (let index = 0; index < count; index++) {
    const end = at + 4 + tags.readUInt32LE(at);
    const [name = "", ...value] = tags.toString("utf8", at + 4, end).split("=");
    comments.set(name, value.join("="));
    at = end;
  }
  return comments;
}

function counted(text: string): [Buffer, Buffer] {
  const bytes = Buffer.from(text);
  return [uint32(bytes.length), bytes];
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Joins one packet per side, a frame each; the first carries its length (RFC 6716, appendix B). */
export function joinPackets(left: Uint8Array, right: Uint8Array): Uint8Array {
  const frame = left.length - 1;
  const length = frame < 252 ? [frame] : [252 + ((frame - 252) & 3), (frame - 252) >> 2];
  const joined = new Uint8Array(left.length + length.length + right.length);
  joined[0] = left[0] ?? 0;
  joined.set(length, 1);
  joined.set(left.subarray(1), 1 + length.length);
  joined.set(right, length.length + left.length);
  return joined;
}

/** Splits a joined packet into each side's packet. */
export function splitPacket(joined: Uint8Array): { left: Uint8Array; right: Uint8Array } {
  const first = joined[1] ?? 0;
  const lengthBytes = first < 252 ? 1 : 2;
  const frame = first < 252 ? first : first + 4 * (joined[2] ?? 0);
  const begin = 1 + lengthBytes;
  const left = new Uint8Array(1 + frame);
  left[0] = joined[0] ?? 0;
  left.set(joined.subarray(begin, begin + frame), 1);
  return { left, right: joined.subarray(begin + frame) };
}
