import { PCM_RATE_HZ } from "../pcm.ts";
import { createResampler } from "../resample/resampler.ts";

/** Silence that pushes the last samples out of the resampler's filter. */
const FLUSH_MS = 3;

/** Converts 16-bit little-endian PCM, cut anywhere, to samples at 16 kHz. One resampler serves the whole clause. */
export async function* pcmFrom(
  chunks: AsyncIterable<Uint8Array>,
  sampleRateHz: number,
): AsyncGenerator<Int16Array> {
  const resampler = await createResampler(sampleRateHz, PCM_RATE_HZ);
  const joiner = new SampleJoiner();
  try {
    for await (const chunk of chunks) {
      const joined = joiner.push(chunk);
      const samples = resampler.process(joined);
      // The resampler reuses its result.
      if (samples.length > 0) yield samples === joined ? samples : samples.slice();
    }
    if (sampleRateHz === PCM_RATE_HZ) return;
    yield resampler.process(new Int16Array((sampleRateHz / 1000) * FLUSH_MS)).slice();
  } finally {
    resampler.free();
  }
}

/** Joins samples whose two bytes came in different chunks. */
class SampleJoiner {
  #odd: number | undefined;

  /** Returns the chunk's own memory if it can be read as samples, or else a copy. */
  push(chunk: Uint8Array): Int16Array {
    const held = this.#odd === undefined ? 0 : 1;
    if (held === 0 && chunk.length % 2 === 0 && chunk.byteOffset % 2 === 0) {
      return new Int16Array(chunk.buffer, chunk.byteOffset, chunk.length / 2);
    }
    const length = chunk.length + held;
    const bytes = new Uint8Array(length);
    if (this.#odd !== undefined) bytes[0] = this.#odd;
    bytes.set(chunk, held);
    this.#odd = length % 2 === 1 ? bytes[length - 1] : undefined;
    return new Int16Array(bytes.buffer, 0, Math.floor(length / 2));
  }
}
