/**
 * G.711 µ-law (ITU-T G.711, 8 kHz telephony in North America and Japan): eight bits per sample, table-driven in both
 * directions. Samples are first rounded to the standard's 14 bits.
 */
const BIAS = 33;
const CLIP = 8158;

const DECODED = Int16Array.from({ length: 256 }, (_, code) => decodeCode(code));
const ENCODED = Uint8Array.from({ length: 65_536 }, (_, index) => encodeSample((index << 16) >> 16));

/** Encodes `pcm` into the first `pcm.length` bytes of `out`. */
export function encodeMulaw(pcm: Int16Array, out: Uint8Array): void {
  for (let i = 0; i < pcm.length; i++) out[i] = ENCODED[(pcm[i] as number) & 0xffff] as number;
}

/** Decodes `bytes` into the first `bytes.length` samples of `out`. */
export function decodeMulaw(bytes: Uint8Array, out: Int16Array): void {
  for (let i = 0; i < bytes.length; i++) out[i] = DECODED[bytes[i] as number] as number;
}

function decodeCode(code: number): number {
  const inverted = ~code & 0xff;
  const segment = (inverted >> 4) & 7;
  const magnitude = ((((inverted & 15) << 1) + BIAS) << segment) - BIAS;
  return (inverted & 0x80 ? -magnitude : magnitude) * 4;
}

function encodeSample(sample: number): number {
  const value14 = Math.min(8191, (sample + 2) >> 2);
  const sign = value14 < 0 ? 0x80 : 0;
  const magnitude = Math.min(CLIP, Math.abs(value14)) + BIAS;
  const segment = 26 - Math.clz32(magnitude);
  const mantissa = (magnitude >> (segment + 1)) & 15;
  return ~(sign | (segment << 4) | mantissa) & 0xff;
}
