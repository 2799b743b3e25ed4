import { createKeepingEncoder, type OpusEncoder } from "../codecs/opus.ts";
import { FRAME_SAMPLES } from "../pcm.ts";
import { CLOCK, FRAMES_PER_PAGE, joinPackets, writeHead } from "./layout.ts";
import { writePage } from "./pages.ts";

/** Number of all-zero frames to encode before silence is skipped; earlier sound has died away by then. */
const ENCODED_SILENCE = 10;

interface Side {
  readonly encoder: OpusEncoder;
  silentFrames: number;
  /** TOC byte of the last packet, which a frame without content repeats. */
  toc: number;
}

/** Encodes stereo sound at 16 kHz as Ogg Opus, with independent channels. */
export class OpusFileEncoder {
  readonly #sides: readonly [Side, Side];
  readonly #delaySamples: number;
  readonly #frame = new Int16Array(2 * FRAME_SAMPLES);
  readonly #mono = new Int16Array(FRAME_SAMPLES);
  readonly #packets: Uint8Array[] = [];
  #filled = 0;
  #samples = 0;

  static async create(): Promise<OpusFileEncoder> {
    const [left, right] = await Promise.all([createKeepingEncoder(), createKeepingEncoder()]);
    return new OpusFileEncoder(left, right, left.delaySamples);
  }

  private constructor(left: OpusEncoder, right: OpusEncoder, delaySamples: number) {
    const sideOf = (encoder: OpusEncoder): Side => ({ encoder, silentFrames: 0, toc: 0 });
    this.#sides = [sideOf(left), sideOf(right)];
    this.#delaySamples = delaySamples;
  }

  /** Takes interleaved samples, left and right. */
  push(samples: Int16Array): void {
    this.#samples += samples.length / 2;
    this.#take(samples);
  }

  /** Returns the whole file and ends the encoder. */
  finish(serial: number): Uint8Array {
    const samples = this.#samples;
    // Adds silence after the sound, because the encoder outputs its end with a delay.
    const frames = Math.max(1, Math.ceil((samples + this.#delaySamples) / FRAME_SAMPLES));
    const missing = frames * FRAME_SAMPLES - samples;
    this.#take(new Int16Array(2 * missing));
    for (const { encoder } of this.#sides) encoder.free();
    const head = (pageBytes: readonly number[]) =>
      writeHead({ serial, samples, delaySamples: this.#delaySamples, pageBytes });
    const pageCount = Math.ceil(this.#packets.length / FRAMES_PER_PAGE);
    // As long as the head with the true lengths.
    const headPages = head(new Array<number>(pageCount).fill(0)).length;
    const pages: Uint8Array[] = [];
    for (let page = 0; page < pageCount; page++) {
      const packets = this.#packets.slice(page * FRAMES_PER_PAGE, (page + 1) * FRAMES_PER_PAGE);
      const isLast = page === pageCount - 1;
      const decoded = (page * FRAMES_PER_PAGE + packets.length) * FRAME_SAMPLES;
      // The last position marks the end of the sound; decoded samples beyond it are discarded.
      const end = isLast ? samples + this.#delaySamples : decoded;
      pages.push(writePage(packets, { serial, sequence: headPages + page, position: end * CLOCK, isLast }));
    }
    return Buffer.concat([...head(pages.map(({ length }) => length)), ...pages]);
  }

  #take(samples: Int16Array): void {
    for (let at = 0; at < samples.length; ) {
      const part = samples.subarray(at, at + this.#frame.length - this.#filled);
      this.#frame.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled < this.#frame.length) continue;
      this.#filled = 0;
      const [left, right] = this.#sides;
      this.#packets.push(joinPackets(this.#encode(left, 0), this.#encode(right, 1)));
    }
  }

  #encode(side: Side, channel: 0 | 1): Uint8Array {
    let loudest = 0;
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      const sample = this.#frame[2 * i + channel] ?? 0;
      this.#mono[i] = sample;
      loudest |= sample;
    }
    side.silentFrames = loudest === 0 ? side.silentFrames + 1 : 0;
    // Half of a call is the listener's silence. A packet without content costs one byte and no work.
    if (side.silentFrames > ENCODED_SILENCE) return Uint8Array.of(side.toc);
    const packet = side.encoder.encode(this.#mono);
    const toc = packet[0] ?? 0;
    if ((toc & 3) !== 0) throw new Error("an encoder of one frame a packet made several");
    side.toc = toc;
    return packet;
  }
}
