import { describe, expect, test } from "vitest";
import { encodeWav, isPlainWav, wavBytes } from "./wav-file.ts";

describe("a WAV file made in the browser", () => {
  test("has each sample where it was, and none beyond full scale", async () => {
    const bytes = await encodeWav(new Float32Array([0, 0.5, -0.5, 1, -1, 2]), 16_000).arrayBuffer();
    expect([...new Int16Array(bytes.slice(44))]).toEqual([0, 16_384, -16_383, 32_767, -32_767, 32_767]);
    expect(isPlainWav(bytes)).toBe(true);
    expect(wavBytes(6 / 16_000, 16_000)).toBe(bytes.byteLength);
  });
});

describe("a file that is sent as it is", () => {
  test.each<[string, (wav: DataView) => void, boolean]>([
    ["a WAV file of 16-bit PCM", () => undefined, true],
    ["one whose format is extensible", (wav) => wav.setUint16(20, 0xfffe, true), true],
    ["one of 24 bits", (wav) => wav.setUint16(34, 24, true), false],
    ["one of floats", (wav) => wav.setUint16(20, 3, true), false],
    ["one with another chunk in front", (wav) => wav.setUint32(12, 0x4c495354), false],
    ["what is no RIFF", (wav) => wav.setUint32(0, 0x49443303), false],
    ["RIFF that is no WAV", (wav) => wav.setUint32(8, 0x41564920), false],
  ])("%s", async (_what, change, isTaken) => {
    const bytes = await encodeWav(new Float32Array(80), 8_000).arrayBuffer();
    change(new DataView(bytes));
    expect(isPlainWav(bytes)).toBe(isTaken);
  });

  test("is not an empty one", () => {
    expect(isPlainWav(new ArrayBuffer(0))).toBe(false);
  });
});
