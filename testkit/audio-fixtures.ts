const RATE_HZ = 16_000;
const WAV_HEADER_BYTES = 44;

/** A sine wave of 16-bit samples at 16 kHz. */
export function tone(frequencyHz: number, durationMs: number, amplitude = 8000): Int16Array<ArrayBuffer> {
  const samples = new Int16Array((RATE_HZ * durationMs) / 1000);
  return samples.map((_, i) => Math.round(amplitude * Math.sin((2 * Math.PI * frequencyHz * i) / RATE_HZ)));
}

export function silence(durationMs: number): Int16Array<ArrayBuffer> {
  return new Int16Array((RATE_HZ * durationMs) / 1000);
}

export function joined(...parts: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const samples = new Int16Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return samples;
}

/** 16 kHz mono samples as a WAV file, for the browser's fake microphone. */
export function wavFile(samples: Int16Array): Uint8Array {
  const file = Buffer.alloc(WAV_HEADER_BYTES + samples.byteLength);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(WAV_HEADER_BYTES - 8 + samples.byteLength, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE_HZ, 24);
  file.writeUInt32LE(RATE_HZ * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(samples.byteLength, 40);
  file.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), WAV_HEADER_BYTES);
  return file;
}

/** Root mean square of each `stretchMs` of audio, in 16-bit sample units. */
export function envelope(samples: Int16Array, stretchMs: number): number[] {
  const size = (RATE_HZ * stretchMs) / 1000;
  return Array.from({ length: Math.floor(samples.length / size) }, (_, i) => {
    const stretch = samples.subarray(i * size, (i + 1) * size);
    return Math.sqrt(stretch.reduce((sum, sample) => sum + sample * sample, 0) / size);
  });
}

/** Best correlation of two envelopes over all shifts, from -1 to 1. */
export function bestCorrelation(heard: readonly number[], said: readonly number[]): number {
  let best = -1;
  for (let shift = 0; shift + said.length <= heard.length; shift++) {
    best = Math.max(best, correlation(heard.slice(shift, shift + said.length), said));
  }
  return best;
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [product, squaresA, squaresB] = [0, 0, 0];
  for (const [i, value] of a.entries()) {
    const [offA, offB] = [value - meanA, (b[i] ?? 0) - meanB];
    product += offA * offB;
    squaresA += offA * offA;
    squaresB += offB * offB;
  }
  return product / Math.sqrt(squaresA * squaresB || 1);
}
