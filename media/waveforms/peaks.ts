const BYTES_PER_SAMPLE = 2;
/** Scales 16-bit samples to 8 bits, rounding away from zero so that even a whisper is visible. */
const TO_8_BIT = 256;

/** How a recording is divided into points. */
export interface PeakShape {
  readonly channels: number;
  readonly points: number;
  /** Samples per channel of the whole recording. */
  readonly samples: number;
}

/**
 * Loudness over time of 16-bit PCM that arrives in pieces of any size: for each point and channel the lowest and the
 * highest sample, 8 bits each. Keeps no audio.
 */
export class PeakMeter {
  readonly #shape: PeakShape;
  readonly #peaks: Int8Array;
  #position = 0;
  /** The first byte of a sample whose second byte has not arrived. */
  #odd: number | undefined;

  constructor(shape: PeakShape) {
    this.#shape = shape;
    this.#peaks = new Int8Array(shape.points * shape.channels * 2);
  }

  /** Takes interleaved samples as laid out in a WAV file. */
  push(bytes: Uint8Array): void {
    let at = 0;
    if (this.#odd !== undefined && bytes.length > 0) {
      this.#take(this.#odd | ((bytes[0] ?? 0) << 8));
      this.#odd = undefined;
      at = 1;
    }
    for (; at + BYTES_PER_SAMPLE <= bytes.length; at += BYTES_PER_SAMPLE) {
      this.#take((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8));
    }
    if (at < bytes.length) this.#odd = bytes[at];
  }

  /** Lowest and highest of each channel, point after point; from -128 to 127. */
  get peaks(): Int8Array {
    return this.#peaks;
  }

  #take(unsigned: number): void {
    const { channels, points, samples } = this.#shape;
    const sample = (unsigned << 16) >> 16;
    const channel = this.#position % channels;
    const index = Math.floor(this.#position / channels);
    this.#position += 1;
    if (index >= samples) return;
    const point = Math.floor((index * points) / samples);
    const at = (point * channels + channel) * 2;
    const level = sample < 0 ? Math.floor(sample / TO_8_BIT) : Math.ceil((sample * 127) / 32_767);
    if (level < (this.#peaks[at] ?? 0)) this.#peaks[at] = level;
    if (level > (this.#peaks[at + 1] ?? 0)) this.#peaks[at + 1] = level;
  }
}
