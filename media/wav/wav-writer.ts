/** The destination of a WAV file: an open file or a buffer. A call copies its bytes before it returns. */
export interface WavSink {
  /** Appends. */
  write(bytes: Uint8Array): void;
  /** Appends zeros without requiring a buffer of them. */
  writeSilence(byteCount: number): void;
  /** Overwrites bytes written earlier; later writes still append. */
  rewriteAt(offset: number, bytes: Uint8Array): void;
}

export interface WavWriterOptions {
  readonly sink: WavSink;
  readonly sampleRateHz: number;
  readonly channels: number;
}

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;
const RIFF_SIZE_OFFSET = 4;
const DATA_SIZE_OFFSET = 40;
/** "Until the end of the file", as sox, ffmpeg and browsers read this size. */
const STREAMING_SIZE = 0xffff_ffff;

/**
 * Writes 16-bit PCM as it arrives. The file stays playable after a crash at any moment: until `finish`, its header says
 * "until the end of the file".
 */
export class WavWriter {
  readonly #sink: WavSink;
  readonly #sizeField = new DataView(new ArrayBuffer(4));
  #dataBytes = 0;

  constructor(options: WavWriterOptions) {
    this.#sink = options.sink;
    this.#sink.write(headerOf(options));
  }

  get dataBytes(): number {
    return this.#dataBytes;
  }

  /** Size of the file so far. */
  get fileBytes(): number {
    return HEADER_BYTES + this.#dataBytes;
  }

  /** Appends samples, interleaved if there are several channels. */
  write(samples: Int16Array): void {
    this.#sink.write(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
    this.#dataBytes += samples.byteLength;
  }

  /** Appends silence of `count` samples, counting all channels. */
  writeSilence(count: number): void {
    this.#sink.writeSilence(count * BYTES_PER_SAMPLE);
    this.#dataBytes += count * BYTES_PER_SAMPLE;
  }

  /** Writes the exact size into the header. The sink stays open and belongs to its owner. */
  finish(): void {
    this.#rewriteSize(RIFF_SIZE_OFFSET, this.#dataBytes + HEADER_BYTES - 8);
    this.#rewriteSize(DATA_SIZE_OFFSET, this.#dataBytes);
  }

  #rewriteSize(offset: number, size: number): void {
    this.#sizeField.setUint32(0, Math.min(size, STREAMING_SIZE), true);
    this.#sink.rewriteAt(offset, new Uint8Array(this.#sizeField.buffer));
  }
}

/** The header of a complete file with the given number of audio bytes. */
export function finishedHeaderOf({
  dataBytes,
  ...format
}: Omit<WavWriterOptions, "sink"> & { readonly dataBytes: number }): Uint8Array {
  const header = headerOf(format);
  const view = new DataView(header.buffer);
  view.setUint32(RIFF_SIZE_OFFSET, Math.min(dataBytes + HEADER_BYTES - 8, STREAMING_SIZE), true);
  view.setUint32(DATA_SIZE_OFFSET, Math.min(dataBytes, STREAMING_SIZE), true);
  return header;
}

function headerOf({ sampleRateHz, channels }: Omit<WavWriterOptions, "sink">): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  const blockBytes = channels * BYTES_PER_SAMPLE;
  writeTag(header, 0, "RIFF");
  view.setUint32(RIFF_SIZE_OFFSET, STREAMING_SIZE, true);
  writeTag(header, 8, "WAVE");
  writeTag(header, 12, "fmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * blockBytes, true);
  view.setUint16(32, blockBytes, true);
  view.setUint16(34, BYTES_PER_SAMPLE * 8, true);
  writeTag(header, 36, "data");
  view.setUint32(DATA_SIZE_OFFSET, STREAMING_SIZE, true);
  return header;
}

function writeTag(header: Uint8Array, offset: number, tag: string): void {
  for (let i = 0; i < tag.length; i++) header[offset + i] = tag.charCodeAt(i);
}
