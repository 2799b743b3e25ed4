import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Histogram } from "./histogram.ts";

const times = fc.array(fc.double({ min: 0, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 300 });

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

describe("a histogram", () => {
  it("tells each quantile to within a bucket, never too low", () => {
    fc.assert(
      fc.property(times, fc.double({ min: 0.01, max: 1, noNaN: true }), (values, q) => {
        const sorted = [...values].sort((a, b) => a - b);
        const exact = sorted[Math.ceil(q * sorted.length) - 1] ?? 0;
        const told = histogramOf(values).quantile(q);
        expect(told).toBeGreaterThanOrEqual(exact - 1e-9);
        expect(told).toBeLessThanOrEqual(Math.max(0.011, exact * 1.1));
      }),
    );
  });

  it("adds up to what one histogram of all would be, also as JSON", () => {
    fc.assert(
      fc.property(times, times, (here, there) => {
        const both = histogramOf(here);
        both.merge(JSON.parse(JSON.stringify(histogramOf(there))));
        const one = histogramOf([...here, ...there]);
        expect(both.buckets()).toEqual(one.buckets());
        expect([both.count, both.max]).toEqual([one.count, one.max]);
      }),
    );
  });

  it("that is empty says nothing", () => {
    const empty = new Histogram();
    expect([empty.quantile(0.99), empty.mean, empty.count, empty.buckets().length]).toEqual([0, 0, 0, 0]);
  });
});
