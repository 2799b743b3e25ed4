import { AppError } from "@parley/shared/errors.ts";

/** 16-bit PCM from a WAV file; `samples` of several channels are interleaved. */
export interface WavAudio {
  readonly sampleRateHz: number;
  readonly channels: number;
  readonly samples: Int16Array;
}

const FORMAT_PCM = 1;
const FORMAT_EXTENSIBLE = 0xfffe;
const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const FMT_MIN_BYTES = 16;
const SUBFORMAT_OFFSET = 24;
const MAX_CHANNELS = 32;

/**
 * Reads a whole WAV file. Skips unknown chunks, understands WAVE_FORMAT_EXTENSIBLE, and takes an unfinished data size
 * (0, 0xFFFFFFFF, or past the end) to mean "up to the end". Throws `AppError`: validation_failed if it is no WAV file,
 * unsupported_media_type if it holds anything but 16-bit PCM.
 */
export function readWav(bytes: Uint8Array): WavAudio {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < RIFF_HEADER_BYTES || tagAt(view, 0) !== "RIFF" || tagAt(view, 8) !== "WAVE") {
    throw new AppError("validation_failed", "not a WAV file: it does not begin with RIFF and WAVE");
  }
  let format: { sampleRateHz: number; channels: number } | undefined;
  let offset = RIFF_HEADER_BYTES;
  while (offset + CHUNK_HEADER_BYTES <= bytes.length) {
    const tag = tagAt(view, offset);
    const size = view.getUint32(offset + 4, true);
    const body = offset + CHUNK_HEADER_BYTES;
    if (tag === "fmt ") format = readFormat(view, body, size);
    if (tag === "data") {
      if (format === undefined) throw new AppError("validation_failed", "the WAV file has data before fmt");
      return { ...format, samples: readSamples(bytes, { body, size, channels: format.channels }) };
    }
    offset = body + size + (size & 1);
  }
  throw new AppError("validation_failed", "the WAV file has no data chunk");
}

function readFormat(view: DataView, body: number, size: number): { sampleRateHz: number; channels: number } {
  if (size < FMT_MIN_BYTES || body + size > view.byteLength) {
    throw new AppError("validation_failed", "the WAV file's fmt chunk is cut short");
  }
  let tag = view.getUint16(body, true);
  if (tag === FORMAT_EXTENSIBLE && size >= SUBFORMAT_OFFSET + 2) {
    tag = view.getUint16(body + SUBFORMAT_OFFSET, true);
  }
  const channels = view.getUint16(body + 2, true);
  const sampleRateHz = view.getUint32(body + 4, true);
  const bits = view.getUint16(body + 14, true);
  if (tag !== FORMAT_PCM || bits !== 16) {
    throw new AppError(
      "unsupported_media_type",
      `the WAV file holds format ${tag} with ${bits} bits; convert it to 16-bit PCM`,
    );
  }
  if (channels === 0 || channels > MAX_CHANNELS || sampleRateHz === 0) {
    throw new AppError("validation_failed", `the WAV file names ${channels} channels at ${sampleRateHz} Hz`);
  }
  return { sampleRateHz, channels };
}

function readSamples(bytes: Uint8Array, chunk: { body: number; size: number; channels: number }): Int16Array {
  const available = bytes.length - chunk.body;
  // A size of 0 with bytes after it is a header that its writer never completed.
  const size = chunk.size === 0 ? available : Math.min(chunk.size, available);
  const frames = Math.floor(size / (2 * chunk.channels));
  const samples = new Int16Array(frames * chunk.channels);
  new Uint8Array(samples.buffer).set(bytes.subarray(chunk.body, chunk.body + samples.byteLength));
  return samples;
}

function tagAt(view: DataView, offset: number): string {
  return String.fromCharCode(
    view.getUint8(offset),
    view.getUint8(offset + 1),
    view.getUint8(offset + 2),
    view.getUint8(offset + 3),
  );
}
