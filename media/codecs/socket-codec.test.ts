import type { AudioFormat } from "@parley/shared/contracts/call-socket.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flite } from "../../testkit/speech.ts";
import { createSocketCodec } from "./socket-codec.ts";

const FORMATS: { format: AudioFormat; bytesIn20Ms: number | undefined }[] = [
  { format: { encoding: "pcm_s16le", sampleRate: 8000 }, bytesIn20Ms: 320 },
  { format: { encoding: "pcm_s16le", sampleRate: 16000 }, bytesIn20Ms: 640 },
  { format: { encoding: "pcm_s16le", sampleRate: 24000 }, bytesIn20Ms: 960 },
  { format: { encoding: "pcm_s16le", sampleRate: 48000 }, bytesIn20Ms: 1920 },
  { format: { encoding: "mulaw", sampleRate: 8000 }, bytesIn20Ms: 160 },
  { format: { encoding: "alaw", sampleRate: 16000 }, bytesIn20Ms: 320 },
  { format: { encoding: "opus", sampleRate: 48000 }, bytesIn20Ms: undefined },
];

describe.each(FORMATS)(
  "the socket codec for $format.encoding at $format.sampleRate",
  ({ format, bytesIn20Ms }) => {
    it("sends every frame as exactly 20 ms and reads it back as 320 samples", async () => {
      const codec = await createSocketCodec(format);
      const speech = await flite("How are you today?");
      for (let at = 0; at + 320 <= speech.length; at += 320) {
        const message = codec.encode(speech.subarray(at, at + 320));
        if (bytesIn20Ms !== undefined) expect(message).toHaveLength(bytesIn20Ms);
        expect(codec.durationMs(message)).toBe(20);
        expect(codec.decode(message)).toHaveLength(320);
      }
      codec.free();
    });

    it("keeps the level of speech", async () => {
      const codec = await createSocketCodec(format);
      const speech = await flite("How are you today?");
      let [before, after] = [0, 0];
      for (let at = 0; at + 320 <= speech.length; at += 320) {
        const frame = speech.subarray(at, at + 320);
        for (const sample of frame) before += sample ** 2;
        for (const sample of codec.decode(codec.encode(frame))) after += sample ** 2;
      }
      codec.free();
      expect(10 * Math.log10(after / before)).toBeGreaterThan(-2);
      expect(10 * Math.log10(after / before)).toBeLessThan(1);
    });

    it("measures any bytes without throwing", async () => {
      const codec = await createSocketCodec(format);
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 4_000 }), (bytes) => {
          expect(codec.durationMs(bytes)).toBeGreaterThanOrEqual(0);
        }),
      );
      codec.free();
    });

    it("reads a message at an odd offset of its buffer", async () => {
      const [codec, twin] = await Promise.all([createSocketCodec(format), createSocketCodec(format)]);
      const message = codec.encode(Int16Array.from({ length: 320 }, (_, i) => i * 31 - 5_000)).slice();
      const shifted = new Uint8Array(message.length + 1);
      shifted.set(message, 1);
      expect(twin.decode(shifted.subarray(1))).toEqual(codec.decode(message));
      codec.free();
      twin.free();
    });
  },
);

describe("the socket codec", () => {
  it("refuses half a sample in words a developer can act on", async () => {
    const codec = await createSocketCodec({ encoding: "pcm_s16le", sampleRate: 16000 });
    expect(() => codec.decode(new Uint8Array(641))).toThrow(
      expect.objectContaining({
        code: "validation_failed",
        message: expect.stringContaining("even number of bytes"),
      }),
    );
    codec.free();
  });

  it("decodes 100 ms after 10 ms as well as before", async () => {
    const codec = await createSocketCodec({ encoding: "mulaw", sampleRate: 8000 });
    expect([80, 800, 80].map((bytes) => codec.decode(new Uint8Array(bytes).fill(0xff)).length)).toEqual([
      160, 1600, 160,
    ]);
    codec.free();
  });

  it("takes a frame of 20 ms and nothing else", async () => {
    const codec = await createSocketCodec({ encoding: "mulaw", sampleRate: 8000 });
    expect(() => codec.encode(new Int16Array(160))).toThrow(RangeError);
    codec.free();
  });
});
