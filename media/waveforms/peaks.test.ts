import { describe, expect, it } from "vitest";
import { PeakMeter } from "./peaks.ts";

const bytesOf = (samples: Int16Array): Uint8Array => new Uint8Array(samples.buffer);

describe("peaks", () => {
  it("are the lowest and the highest sample of each channel and point", () => {
    const meter = new PeakMeter({ channels: 2, points: 2, samples: 4 });
    meter.push(bytesOf(Int16Array.of(0, 0, 32_767, -32_768, -1, 1, 256, 0)));
    expect([...meter.peaks]).toEqual([0, 127, -128, 0, -1, 1, 0, 1]);
  });

  it("do not depend on where the pieces were cut", () => {
    const samples = Int16Array.from({ length: 6_000 }, (_, i) => Math.round(20_000 * Math.sin(i / 7)));
    const shape = { channels: 2, points: 50, samples: 3_000 };
    const whole = new PeakMeter(shape);
    whole.push(bytesOf(samples));
    for (const size of [1, 3, 7, 4_096]) {
      const meter = new PeakMeter(shape);
      const bytes = bytesOf(samples);
      for (let at = 0; at < bytes.length; at += size) meter.push(bytes.subarray(at, at + size));
      expect(meter.peaks).toEqual(whole.peaks);
    }
  });

  it("take no notice of what lies behind the recording's end", () => {
    const meter = new PeakMeter({ channels: 1, points: 1, samples: 2 });
    meter.push(bytesOf(Int16Array.of(10, 10, 32_767)));
    expect([...meter.peaks]).toEqual([0, 1]);
  });
});
