import type { AudioFormat } from "@parley/shared/contracts/call-socket.ts";
import { AppError } from "@parley/shared/errors.ts";
import { FRAME_MS, FRAME_SAMPLES, PCM_RATE_HZ } from "../pcm.ts";
import { createResampler, type Resampler } from "../resample/resampler.ts";
import { decodeAlaw, encodeAlaw } from "./alaw.ts";
import { decodeMulaw, encodeMulaw } from "./mulaw.ts";
import { createOpusDecoder, createOpusEncoder, opusDurationMs } from "./opus.ts";

/**
 * Both directions of one call socket: wire bytes ↔ 16 kHz mono PCM. The results of `decode` and `encode` are valid
 * until the next call of the same method, and while the argument is not changed.
 */
export interface SocketCodec {
  /** Duration of the audio in `message`; 0 if it cannot be audio. Cheap, never throws. */
  durationMs(message: Uint8Array): number;
  /** Throws `AppError` validation_failed for bytes that are not audio in this format. */
  decode(message: Uint8Array): Int16Array;
  /** `frame` is exactly 20 ms (320 samples), and so is its encoding on the wire. */
  encode(frame: Int16Array): Uint8Array;
  free(): void;
}

/** Converts samples of one encoding at the socket's own rate. `out` has room for the result. */
interface SampleFormat {
  readonly bytesPerSample: 1 | 2;
  decode(bytes: Uint8Array, out: Int16Array): Int16Array;
  encode(samples: Int16Array, out: Uint8Array): Uint8Array;
}

const SAMPLE_FORMATS: Record<"pcm_s16le" | "mulaw" | "alaw", SampleFormat> = {
  // The bytes are the samples: a view in place, with a copy only at an odd offset.
  pcm_s16le: {
    bytesPerSample: 2,
    decode: (bytes, out) => {
      if (bytes.byteOffset % 2 === 0) return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
      new Uint8Array(out.buffer, out.byteOffset, bytes.length).set(bytes);
      return out.subarray(0, bytes.length / 2);
    },
    encode: (samples) => new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength),
  },
  mulaw: companded(decodeMulaw, encodeMulaw),
  alaw: companded(decodeAlaw, encodeAlaw),
};

function companded(
  decode: (bytes: Uint8Array, out: Int16Array) => void,
  encode: (samples: Int16Array, out: Uint8Array) => void,
): SampleFormat {
  return {
    bytesPerSample: 1,
    decode: (bytes, out) => {
      decode(bytes, out);
      return out.subarray(0, bytes.length);
    },
    encode: (samples, out) => {
      encode(samples, out);
      return out;
    },
  };
}

/** Opens the codec of a negotiated format. */
export async function createSocketCodec(format: AudioFormat): Promise<SocketCodec> {
  if (format.encoding === "opus") return createOpusCodec();
  const [toPcm, toWire] = await Promise.all([
    createResampler(format.sampleRate, PCM_RATE_HZ),
    createResampler(PCM_RATE_HZ, format.sampleRate),
  ]);
  return new SampleCodec(SAMPLE_FORMATS[format.encoding], format.sampleRate, { toPcm, toWire });
}

async function createOpusCodec(): Promise<SocketCodec> {
  const [encoder, decoder] = await Promise.all([createOpusEncoder(), createOpusDecoder()]);
  return {
    durationMs: opusDurationMs,
    decode: (message) => decoder.decode(message),
    encode: (frame) => encoder.encode(frame),
    free() {
      encoder.free();
      decoder.free();
    },
  };
}

class SampleCodec implements SocketCodec {
  readonly #format: SampleFormat;
  readonly #bytesPerMs: number;
  readonly #resamplers: { toPcm: Resampler; toWire: Resampler };
  readonly #wire: Uint8Array;
  #decoded: Int16Array;

  constructor(format: SampleFormat, rateHz: number, resamplers: { toPcm: Resampler; toWire: Resampler }) {
    this.#format = format;
    this.#bytesPerMs = (rateHz / 1000) * format.bytesPerSample;
    this.#resamplers = resamplers;
    this.#wire = new Uint8Array(this.#bytesPerMs * FRAME_MS);
    this.#decoded = new Int16Array((rateHz / 1000) * FRAME_MS);
  }

  durationMs(message: Uint8Array): number {
    return message.length / this.#bytesPerMs;
  }

  decode(message: Uint8Array): Int16Array {
    const samples = message.length / this.#format.bytesPerSample;
    if (!Number.isInteger(samples)) {
      throw new AppError("validation_failed", "pcm_s16le needs an even number of bytes: two per sample");
    }
    if (this.#decoded.length < samples) this.#decoded = new Int16Array(samples);
    return this.#resamplers.toPcm.process(this.#format.decode(message, this.#decoded));
  }

  encode(frame: Int16Array): Uint8Array {
    if (frame.length !== FRAME_SAMPLES) {
      throw new RangeError(`a frame has ${FRAME_SAMPLES} samples, not ${frame.length}`);
    }
    return this.#format.encode(this.#resamplers.toWire.process(frame), this.#wire);
  }

  free(): void {
    this.#resamplers.toPcm.free();
    this.#resamplers.toWire.free();
  }
}
