import { describe, expect, it } from "vitest";
import { finishLeftOffWav, WAV_HEADER_BYTES } from "./left-off.ts";
import { readWav } from "./wav-reader.ts";
import { WavWriter } from "./wav-writer.ts";

/** The bytes of a stereo recording whose writer died after `seconds`. */
function leftOff(seconds: number): Buffer {
  let bytes = Buffer.alloc(0);
  const sink = {
    write: (more: Uint8Array) => {
      bytes = Buffer.concat([bytes, more]);
    },
    writeSilence: (byteCount: number) => sink.write(new Uint8Array(byteCount)),
    rewriteAt: (offset: number, part: Uint8Array) => bytes.set(part, offset),
  };
  const writer = new WavWriter({ sink, sampleRateHz: 16_000, channels: 2 });
  writer.write(new Int16Array(seconds * 2 * 16_000));
  return bytes;
}

describe("a recording that was left off", () => {
  it("is as long as what was written of it, without half a sample", () => {
    const torn = Buffer.concat([leftOff(0.25), Buffer.from([1, 2, 3])]);
    const finished = finishLeftOffWav(torn.subarray(0, WAV_HEADER_BYTES), torn.length);
    expect(finished).toMatchObject({ durationMs: 250, fileBytes: torn.length - 3 });
    torn.set(finished?.header ?? [], 0);
    expect(torn.readUInt32LE(4)).toBe(torn.length - 3 - 8);
    expect(torn.readUInt32LE(40)).toBe(torn.length - 3 - 44);
    expect(readWav(torn.subarray(0, torn.length - 3)).samples).toHaveLength(8_000);
  });

  it("before its header was written, or with bytes that are none, is nothing", () => {
    expect(finishLeftOffWav(leftOff(0).subarray(0, 20), 20)).toBeUndefined();
    expect(finishLeftOffWav(Buffer.alloc(WAV_HEADER_BYTES), 1_000)).toBeUndefined();
  });
});
