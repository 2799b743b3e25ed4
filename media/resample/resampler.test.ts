import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createResampler } from "./resampler.ts";

const PAIRS: [fromHz: number, toHz: number][] = [
  [8_000, 16_000],
  [16_000, 8_000],
  [16_000, 24_000],
  [24_000, 16_000],
  [16_000, 48_000],
  [48_000, 16_000],
];
const MIN_SNR_DB = 85;
const MIN_ALIAS_REJECTION_DB = 65;
const MAX_PASS_BAND_LOSS_DB = 0.2;
const AMPLITUDE = 20_000;

function sine(hz: number, rateHz: number, seconds: number): Int16Array {
  return Int16Array.from({ length: rateHz * seconds }, (_, i) =>
    Math.round(AMPLITUDE * Math.sin((2 * Math.PI * hz * i) / rateHz)),
  );
}

/** Fits a sine of `hz` to the settled part; everything that is not that sine is noise. */
function measure(samples: Int16Array, hz: number, rateHz: number): { snrDb: number; gainDb: number } {
  const settled = samples.subarray(rateHz / 20, samples.length - rateHz / 20);
  const [wave, quarter] = [Math.sin, Math.cos].map((f) =>
    Float64Array.from(settled, (_, i) => f((2 * Math.PI * hz * i) / rateHz)),
  ) as [Float64Array, Float64Array];
  const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    Array.prototype.reduce.call(
      a,
      (sum: unknown, x: unknown, i) => (sum as number) + (x as number) * b[i]!,
      0,
    ) as number;
  const [ss, sc, cc] = [dot(wave, wave), dot(wave, quarter), dot(quarter, quarter)];
  const [xs, xc] = [dot(settled, wave), dot(settled, quarter)];
  const det = ss * cc - sc * sc;
  const a = (xs * cc - xc * sc) / det;
  const b = (xc * ss - xs * sc) / det;
  let signal = 0;
  let noise = 0;
  for (let i = 0; i < settled.length; i++) {
    const fitted = a * wave[i]! + b * quarter[i]!;
    signal += fitted ** 2;
    noise += (settled[i]! - fitted) ** 2;
  }
  return { snrDb: 10 * Math.log10(signal / noise), gainDb: 20 * Math.log10(Math.hypot(a, b) / AMPLITUDE) };
}

function rms(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);
}

describe.each(PAIRS)("resampling %i Hz to %i Hz", (fromHz, toHz) => {
  const nyquistHz = Math.min(fromHz, toHz) / 2;

  it(`keeps every tone up to 85 % of the band at ${MIN_SNR_DB} dB and full level`, async () => {
    for (let step = 1; step <= 17; step++) {
      const hz = Math.round((nyquistHz * step) / 20);
      const resampler = await createResampler(fromHz, toHz);
      const { snrDb, gainDb } = measure(resampler.process(sine(hz, fromHz, 0.5)), hz, toHz);
      resampler.free();
      expect(snrDb, `${hz} Hz`).toBeGreaterThan(MIN_SNR_DB);
      expect(Math.abs(gainDb), `${hz} Hz`).toBeLessThan(MAX_PASS_BAND_LOSS_DB);
    }
  });

  it("lets nothing fold back from above the band", async () => {
    for (const hz of [1.2, 1.4, 1.7].map((factor) => nyquistHz * factor).filter((hz) => hz < fromHz / 2)) {
      const resampler = await createResampler(fromHz, toHz);
      const out = resampler.process(sine(hz, fromHz, 0.5)).subarray(toHz / 20);
      expect(20 * Math.log10(AMPLITUDE / Math.SQRT2 / Math.max(1e-3, rms(out))), `${hz} Hz`).toBeGreaterThan(
        MIN_ALIAS_REJECTION_DB,
      );
      resampler.free();
    }
  });

  it("gives the same samples however the stream is cut", async () => {
    const input = sine(440, fromHz, 0.3).map((x, i) => x + ((i * 7919) % 501) - 250);
    const [whole, cut] = await Promise.all([createResampler(fromHz, toHz), createResampler(fromHz, toHz)]);
    const expected = whole.process(input).slice();
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 40 }), (lengths) => {
        cut.reset();
        const out: number[] = [];
        let from = 0;
        for (const length of [...lengths, input.length]) {
          out.push(...cut.process(input.subarray(from, from + length)));
          from += length;
        }
        expect(Int16Array.from(out)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
    whole.free();
    cut.free();
  });

  it("turns every 20 ms into exactly 20 ms, frame after frame for five minutes", async () => {
    const resampler = await createResampler(fromHz, toHz);
    const frame = new Int16Array(fromHz / 50).fill(100);
    const lengths = new Set<number>();
    for (let i = 0; i < 300 * 50; i++) lengths.add(resampler.process(frame).length);
    expect([...lengths]).toEqual([toHz / 50]);
    resampler.free();
  });
});

describe("a resampler", () => {
  it("hands equal rates through untouched", async () => {
    const resampler = await createResampler(16_000, 16_000);
    const input = Int16Array.of(1, -2, 3);
    expect(resampler.process(input)).toEqual(input);
  });

  it("refuses work after free, and free may be called twice", async () => {
    const resampler = await createResampler(8_000, 16_000);
    resampler.free();
    resampler.free();
    expect(() => resampler.process(new Int16Array(10))).toThrow("freed");
  });

  it("keeps its result intact while others are opened and the shared heap grows", async () => {
    const first = await createResampler(8_000, 16_000);
    const out = first.process(sine(500, 8_000, 0.1));
    const before = out.slice();
    const others = await Promise.all(Array.from({ length: 400 }, () => createResampler(16_000, 48_000)));
    for (const other of others) other.process(sine(900, 16_000, 0.02));
    expect(out).toEqual(before);
    for (const resampler of [first, ...others]) resampler.free();
  });
});
