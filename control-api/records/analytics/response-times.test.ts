import { expect, it } from "vitest";
import { bucketOf, percentileMs } from "./response-times.ts";

it("a percentile is within a twentieth of what was counted", () => {
  const times = Array.from({ length: 1_000 }, (_, index) => 200 + index * 2);
  const byBucket = new Map<number, number>();
  for (const ms of times) byBucket.set(bucketOf(ms), (byBucket.get(bucketOf(ms)) ?? 0) + 1);
  for (const [share, exact] of [
    [0.5, 1_200],
    [0.95, 2_100],
  ] as const) {
    const found = percentileMs(byBucket, share) ?? 0;
    expect(Math.abs(found - exact) / exact).toBeLessThan(0.05);
  }
});

it("without turns there is no percentile, and nonsense is counted as the shortest", () => {
  expect(percentileMs(new Map(), 0.5)).toBeNull();
  expect([0, -5, 1, 50, 51, 55, 56].map(bucketOf)).toEqual([0, 0, 0, 0, 1, 1, 2]);
});
