const HEADER_BYTES = 44;
const PCM = 1;
const EXTENSIBLE = 0xfffe;
const BITS = 16;

/** Encodes samples from -1 to 1 as a mono WAV file of 16-bit PCM. */
export function encodeWav(samples: Float32Array, sampleRateHz: number): Blob {
  const dataBytes = samples.length * 2;
  const view = new DataView(new ArrayBuffer(HEADER_BYTES + dataBytes));
  const write = (offset: number, text: string): void => {
    for (let at = 0; at < text.length; at++) view.setUint8(offset + at, text.charCodeAt(at));
  };
  write(0, "RIFF");
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, BITS, true);
  write(36, "data");
  view.setUint32(40, dataBytes, true);
  for (const [at, sample] of samples.entries()) {
    const level = Math.max(-1, Math.min(1, sample));
    view.setInt16(HEADER_BYTES + at * 2, Math.round(level * 0x7fff), true);
  }
  return new Blob([view.buffer], { type: "audio/wav" });
}

/** Size in bytes of such a WAV file. */
export function wavBytes(seconds: number, sampleRateHz: number): number {
  return HEADER_BYTES + Math.ceil(seconds * sampleRateHz) * 2;
}

/** Whether this is a WAV file of 16-bit PCM, which the API takes unchanged. */
export function isPlainWav(bytes: ArrayBuffer): boolean {
  if (bytes.byteLength < HEADER_BYTES) return false;
  const view = new DataView(bytes);
  const text = (offset: number): string => String.fromCharCode(...new Uint8Array(bytes, offset, 4));
  if (text(0) !== "RIFF" || text(8) !== "WAVE") return false;
  // Other chunks may precede it; such a file is converted, harmlessly.
  if (text(12) !== "fmt ") return false;
  const tag = view.getUint16(20, true);
  return (tag === PCM || tag === EXTENSIBLE) && view.getUint16(34, true) === BITS;
}
