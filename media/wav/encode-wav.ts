import { WavWriter } from "./wav-writer.ts";

/** Encodes a whole mono WAV file in memory. */
export function encodeWav(samples: Int16Array, sampleRateHz: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let headerFixes: { offset: number; bytes: Uint8Array }[] = [];
  const writer = new WavWriter({
    sampleRateHz,
    channels: 1,
    sink: {
      write: (bytes) => chunks.push(bytes.slice()),
      writeSilence: (byteCount) => chunks.push(new Uint8Array(byteCount)),
      rewriteAt: (offset, bytes) => {
        headerFixes = [...headerFixes, { offset, bytes: bytes.slice() }];
      },
    },
  });
  writer.write(samples);
  writer.finish();
  const file = Buffer.concat(chunks);
  for (const { offset, bytes } of headerFixes) file.set(bytes, offset);
  return file;
}
