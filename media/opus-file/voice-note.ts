import { randomBytes } from "node:crypto";
import { AppError } from "@parley/shared/errors.ts";
import { createKeepingEncoder, createOpusDecoder } from "../codecs/opus.ts";
import { FRAME_SAMPLES, PCM_RATE_HZ } from "../pcm.ts";
import { CLOCK, FRAMES_PER_PAGE, writeTags } from "./layout.ts";
import { readPage, writePage, writePages } from "./pages.ts";

/** Ogg Opus of one voice, as phones record and messengers send it (RFC 7845, mapping family 0). */

const HEAD = "OpusHead";
const HEAD_BYTES = 19;
/** After so many packets other work has its turn. */
const PACKETS_AT_ONCE = 50;

/**
 * Decodes a voice message as 16 kHz mono; what is longer than `maxMs` is left off. Throws `AppError` validation_failed
 * for anything but Ogg Opus of one voice, or of two that are mixed.
 */
export async function decodeVoiceNote(file: Uint8Array, maxMs: number): Promise<Int16Array> {
  const [head, , ...packets] = packetsIn(file);
  const preSkip = preSkipOf(head);
  const most = preSkip + (maxMs / 1_000) * PCM_RATE_HZ;
  const decoder = await createOpusDecoder();
  const parts: Int16Array[] = [];
  let samples = 0;
  try {
    for (const [index, packet] of packets.entries()) {
      if (samples >= most) break;
      if (packet.length === 0) continue;
      const part = decoder.decode(packet);
      parts.push(part);
      samples += part.length;
      if (index % PACKETS_AT_ONCE === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    }
  } finally {
    decoder.free();
  }
  const whole = new Int16Array(samples);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole.subarray(Math.min(preSkip, samples), Math.min(samples, most));
}

/** Encodes 16 kHz mono as a voice message. */
export async function encodeVoiceNote(sound: Int16Array): Promise<Uint8Array> {
  const encoder = await createKeepingEncoder();
  const serial = randomBytes(4).readUInt32LE();
  const packets: Uint8Array[] = [];
  try {
    const frames = Math.max(1, Math.ceil((sound.length + encoder.delaySamples) / FRAME_SAMPLES));
    for (let frame = 0; frame < frames; frame++) {
      const samples = new Int16Array(FRAME_SAMPLES);
      samples.set(sound.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES));
      packets.push(encoder.encode(samples));
      if (frame % PACKETS_AT_ONCE === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    }
  } finally {
    encoder.free();
  }
  const pages = [
    ...writePages(headOf(encoder.delaySamples), { serial, sequence: 0, isFirst: true }),
    ...writePages(writeTags([]), { serial, sequence: 1 }),
  ];
  for (let at = 0; at < packets.length; at += FRAMES_PER_PAGE) {
    const some = packets.slice(at, at + FRAMES_PER_PAGE);
    const isLast = at + FRAMES_PER_PAGE >= packets.length;
    const end = isLast ? sound.length + encoder.delaySamples : (at + some.length) * FRAME_SAMPLES;
    pages.push(writePage(some, { serial, sequence: pages.length, position: end * CLOCK, isLast }));
  }
  return Buffer.concat(pages);
}

/** The packets of the file's first stream. */
function packetsIn(file: Uint8Array): Uint8Array[] {
  const packets: Uint8Array[] = [];
  let open: Uint8Array[] = [];
  try {
    for (let at = 0; at < file.length; ) {
      const page = readPage(file, at);
      at += page.bytes;
      for (const [index, part] of page.packets.entries()) {
        open.push(part);
        if (page.isLastOpen && index === page.packets.length - 1) continue;
        packets.push(open.length === 1 ? part : Buffer.concat(open));
        open = [];
      }
    }
  } catch (error) {
    // What was recorded before a damage can be heard.
    if (packets.length < 3) throw notAVoiceNote(error);
  }
  return packets;
}

function preSkipOf(head: Uint8Array | undefined): number {
  const bytes = Buffer.from(head ?? []);
  const isHead = bytes.length >= HEAD_BYTES && bytes.toString("latin1", 0, HEAD.length) === HEAD;
  if (!isHead || bytes[18] !== 0) throw notAVoiceNote();
  return Math.floor(bytes.readUInt16LE(10) / CLOCK);
}

function headOf(delaySamples: number): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(HEAD);
  head[8] = 1;
  head[9] = 1;
  head.writeUInt16LE(delaySamples * CLOCK, 10);
  head.writeUInt32LE(PCM_RATE_HZ, 12);
  return head;
}

function notAVoiceNote(cause?: unknown): AppError {
  return new AppError("validation_failed", "The sound is not Ogg Opus of one voice.", { cause });
}
