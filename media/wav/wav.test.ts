import { execFileSync } from "node:child_process";
import { AppError } from "@parley/shared/errors.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { readWav } from "./wav-reader.ts";
import { type WavSink, WavWriter } from "./wav-writer.ts";

/** A file in memory. */
class BufferSink implements WavSink {
  bytes: number[] = [];
  write(bytes: Uint8Array): void {
    this.bytes.push(...bytes);
  }
  writeSilence(byteCount: number): void {
    this.write(new Uint8Array(byteCount));
  }
  rewriteAt(offset: number, bytes: Uint8Array): void {
    bytes.forEach((byte, i) => {
      this.bytes[offset + i] = byte;
    });
  }
  get file(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }
}

function writeWav(samples: Int16Array, channels = 1, sampleRateHz = 16_000): Uint8Array {
  const sink = new BufferSink();
  const writer = new WavWriter({ sink, sampleRateHz, channels });
  writer.write(samples);
  writer.finish();
  return sink.file;
}

function chunk(tag: string, body: Uint8Array, size = body.length): Uint8Array {
  const bytes = new Uint8Array(8 + body.length + (body.length & 1));
  bytes.set(new TextEncoder().encode(tag));
  new DataView(bytes.buffer).setUint32(4, size, true);
  bytes.set(body, 8);
  return bytes;
}

function riff(...chunks: Uint8Array[]): Uint8Array {
  const body = [...new TextEncoder().encode("WAVE"), ...chunks.flatMap((c) => [...c])];
  return chunk("RIFF", Uint8Array.from(body));
}

function fmt(
  fields: { tag?: number; bits?: number; channels?: number; subformat?: number } = {},
): Uint8Array {
  const { tag = 1, bits = 16, channels = 1, subformat } = fields;
  const body = new DataView(new ArrayBuffer(subformat === undefined ? 16 : 40));
  body.setUint16(0, tag, true);
  body.setUint16(2, channels, true);
  body.setUint32(4, 8_000, true);
  body.setUint16(14, bits, true);
  if (subformat !== undefined) body.setUint16(24, subformat, true);
  return chunk("fmt ", new Uint8Array(body.buffer));
}

const TWO_SAMPLES = Uint8Array.of(1, 0, 0xff, 0xff);

describe("reading WAV", () => {
  it("gives back what was written, whatever it is", () => {
    fc.assert(
      fc.property(fc.int16Array({ maxLength: 500 }), fc.integer({ min: 1, max: 4 }), (values, channels) => {
        const samples = values.subarray(0, values.length - (values.length % channels));
        const audio = readWav(writeWav(samples, channels, 24_000));
        expect(audio).toEqual({ sampleRateHz: 24_000, channels, samples: Int16Array.from(samples) });
      }),
    );
  });

  it.each([
    [
      "chunks before and after the data, odd ones too",
      riff(
        chunk("LIST", Uint8Array.of(1, 2, 3)),
        fmt(),
        chunk("data", TWO_SAMPLES),
        chunk("id3 ", TWO_SAMPLES),
      ),
    ],
    ["WAVE_FORMAT_EXTENSIBLE", riff(fmt({ tag: 0xfffe, subformat: 1 }), chunk("data", TWO_SAMPLES))],
    ["a data size of 0 that was never finished", riff(fmt(), chunk("data", TWO_SAMPLES, 0))],
    ["a data size of 0xFFFFFFFF", riff(fmt(), chunk("data", TWO_SAMPLES, 0xffff_ffff))],
    ["a data size past the end", riff(fmt(), chunk("data", TWO_SAMPLES, 5_000))],
    [
      "half a sample at the end",
      riff(fmt(), chunk("data", Uint8Array.of(...TWO_SAMPLES, 7), 5_000)).subarray(0, -1),
    ],
  ])("understands %s", (_what, bytes) => {
    expect(readWav(bytes)).toEqual({ sampleRateHz: 8_000, channels: 1, samples: Int16Array.of(1, -1) });
  });

  it.each([
    [
      "float samples",
      riff(fmt({ tag: 3, bits: 32 }), chunk("data", TWO_SAMPLES)),
      "unsupported_media_type",
      "16-bit PCM",
    ],
    ["8-bit samples", riff(fmt({ bits: 8 }), chunk("data", TWO_SAMPLES)), "unsupported_media_type", "8 bits"],
    ["no channel", riff(fmt({ channels: 0 }), chunk("data", TWO_SAMPLES)), "validation_failed", "0 channels"],
    ["no data", riff(fmt()), "validation_failed", "no data chunk"],
    ["data before fmt", riff(chunk("data", TWO_SAMPLES), fmt()), "validation_failed", "before fmt"],
    ["an MP3", new TextEncoder().encode("ID3 and then some more"), "validation_failed", "not a WAV file"],
    ["nothing", new Uint8Array(0), "validation_failed", "not a WAV file"],
  ])("refuses %s and says why", (_what, bytes, code, message) => {
    expect(() => readWav(bytes)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  it("answers any bytes with audio or an AppError", () => {
    const whole = writeWav(
      Int16Array.from({ length: 40 }, (_, i) => i),
      2,
    );
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 12 });
    fc.assert(
      fc.property(damage, fc.nat(whole.length), fc.uint8Array({ maxLength: 64 }), (edits, length, tail) => {
        const bytes = Uint8Array.from([...whole.subarray(0, length), ...tail]);
        for (const [at, value] of edits) if (at < bytes.length) bytes[at] = value;
        try {
          const { samples, channels } = readWav(bytes);
          expect(samples.length % channels).toBe(0);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("writing WAV", () => {
  const oneSecond = Int16Array.from({ length: 32_000 }, (_, i) => (i % 200) * 50 - 5_000);

  it("can be read after a crash at any moment, to the last sample", () => {
    const sink = new BufferSink();
    const writer = new WavWriter({ sink, sampleRateHz: 16_000, channels: 2 });
    let written = 0;
    for (let i = 0; i < 120; i++) {
      const { samples } = readWav(sink.file);
      expect(samples.length).toBe(written);
      writer.write(oneSecond.subarray(0, 640 + (i % 3) * 320));
      written += 640 + (i % 3) * 320;
    }
    expect(writer.fileBytes).toBe(sink.bytes.length);
  });

  it("tells the exact size when it is finished", () => {
    const bytes = writeWav(oneSecond, 2);
    const view = new DataView(bytes.buffer);
    expect([view.getUint32(4, true), view.getUint32(40, true)]).toEqual([bytes.length - 8, 64_000]);
  });

  describe.runIf(needs("sox"))("against sox", () => {
    function soxSamples(bytes: Uint8Array): number {
      const pcm = execFileSync("sox", ["-V1", "-t", "wav", "-", "-t", "raw", "-"], { input: bytes });
      return pcm.length / 2;
    }

    it("reads a finished file whole", () => {
      expect(soxSamples(writeWav(oneSecond, 2))).toBe(32_000);
    });

    it("reads a file whose writer died, and one cut in the middle", () => {
      const sink = new BufferSink();
      const writer = new WavWriter({ sink, sampleRateHz: 16_000, channels: 2 });
      writer.write(oneSecond.subarray(0, 12_000));
      expect(soxSamples(sink.file)).toBe(12_000);
      writer.write(oneSecond);
      expect(soxSamples(sink.file)).toBe(44_000);
      expect(soxSamples(sink.file.subarray(0, 44 + 20_000))).toBe(10_000);
    });

    it("reads what sox wrote", () => {
      const bytes = execFileSync("sox", [
        "-n",
        "-r",
        "8000",
        "-c",
        "2",
        "-b",
        "16",
        "-t",
        "wav",
        "-",
        "synth",
        "0.5",
        "sine",
        "440",
      ]);
      const audio = readWav(bytes);
      expect([audio.sampleRateHz, audio.channels, audio.samples.length]).toEqual([8_000, 2, 8_000]);
    });
  });
});
