/**
 * G.711 A-law (ITU-T G.711, 8 kHz telephony in most of the world): eight bits per sample, table-driven in both
 * directions. Samples are first rounded to the standard's 13 bits.
 */
const TOGGLED_BITS = 0x55;

const DECODED = Int16Array.from({ length: 256 }, (_, code) => decodeCode(code));
const ENCODED = Uint8Array.from({ length: 65_536 }, (_, index) => encodeSample((index << 16) >> 16));

/** Encodes `pcm` into the first `pcm.length` bytes of `out`. */
export function encodeAlaw(pcm: Int16Array, out: Uint8Array): void {
  for (let i = 0; i < pcm.length; i++) out[i] = ENCODED[(pcm[i] as number) & 0xffff] as number;
}

/** Decodes `bytes` into the first `bytes.length` samples of `out`. */
export function decodeAlaw(bytes: Uint8Array, out: Int16Array): void {
  for (let i = 0; i < bytes.length; i++) out[i] = DECODED[bytes[i] as number] as number;
}

function decodeCode(code: number): number {
  const bits = code ^ TOGGLED_BITS;
  const segment = (bits >> 4) & 7;
  const mantissa = ((bits & 15) << 1) + 1;
  const magnitude = segment === 0 ? mantissa : (mantissa + 32) << (segment - 1);
  return (bits & 0x80 ? magnitude : -magnitude) * 8;
}

function encodeSample(sample: number): number {
  const value13 = Math.min(4095, (sample + 4) >> 3);
  const sign = value13 < 0 ? 0 : 0x80;
  const magnitude = value13 < 0 ? -value13 - 1 : value13;
  const segment = Math.max(0, 27 - Math.clz32(magnitude));
  const mantissa = (magnitude >> Math.max(1, segment)) & 15;
  return (sign | (segment << 4) | mantissa) ^ TOGGLED_BITS;
}
